// SVG elements.

export function makeSvg(tag: string, attributes: Record<string, string | number> = {}): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
