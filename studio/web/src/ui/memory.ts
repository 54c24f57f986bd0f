// Settings stored between visits. If the browser forbids storage, nothing is stored.

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
    // Storage is forbidden: the next visit starts with the defaults.
  }
}
