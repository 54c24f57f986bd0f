// What the page remembers from one visit to the next. A browser may forbid that: then nothing is remembered.

export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`motionfields.${name}`);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`motionfields.${name}`, value);
  } catch {
    // Forbidden: the next visit starts as the first one.
  }
}
