// Numbers as text of constant width: a true minus sign, a fixed number of digits, a dash for a missing number.

export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return "\u2013";
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `\u2212${text}` : text;
}

/** Like `fixed`, with a plus sign for positive numbers. */
export function signed(value: number, digits: number): string {
  const text = fixed(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** Radians as signed whole degrees with one decimal, without the sign of the unit. */
export function degrees(radians: number): string {
  return signed((radians * 180) / Math.PI, 1);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
