// The versions of a document that undo goes back through.

const MOST = 100; // kept versions

export class Versions {
  text = ""; // present version; empty before `begin`
  private readonly past: string[] = [];

  /** Set the first version; later calls have no effect. */
  begin(text: string): void {
    this.text ||= text;
  }

  /** Make `text` the present version, and return whether it is another one. */
  change(text: string): boolean {
    if (text === this.text) return false;
    this.keep();
    this.text = text;
    return true;
  }

  /** Let the next `back` return to the present version. */
  keep(): void {
    if (this.text) this.past.push(this.text);
    if (this.past.length > MOST) this.past.shift();
  }

  /** Return to the version before, and return it; null if there is none. */
  back(): string | null {
    const text = this.past.pop();
    if (text) this.text = text;
    return text ?? null;
  }
}
