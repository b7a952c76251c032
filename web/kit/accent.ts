/** The smallest contrast of text (WCAG 2.2, 1.4.3). */
const CONTRAST = 4.5;
/** Of the backgrounds of text in the accent color, the nearest to it: `--sunken` and `--raised` of `web/style.css`. */
const BACKGROUND = { light: '#f5f6f8', dark: '#1d222b' } as const;

type Rgb = readonly [number, number, number];

export function isColor(text: unknown): text is string {
  return typeof text === 'string' && /^#[\da-f]{6}$/i.test(text);
}

/** Moves a color toward black (light) or white (dark) until text in it can be read. */
export function readableAccent(color: string, theme: 'light' | 'dark'): string {
  const target: Rgb = theme === 'light' ? [0, 0, 0] : [255, 255, 255];
  const start = parse(color);
  for (let step = 0; step <= 50; step += 1) {
    const moved = hex(mix(start, target, step / 50));
    if (contrast(moved, BACKGROUND[theme]) >= CONTRAST) return moved;
  }
  return hex(target);
}

/** Returns the color of text on a background: white, or nearly black if white cannot be read. */
export function textOn(background: string): string {
  return contrast('#ffffff', background) >= CONTRAST ? '#ffffff' : '#0d1015';
}

export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function parse(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const hex = (color: Rgb) => `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

function mix([red, green, blue]: Rgb, [toRed, toGreen, toBlue]: Rgb, share: number): Rgb {
  const between = (from: number, to: number) => Math.round(from + (to - from) * share);
  return [between(red, toRed), between(green, toGreen), between(blue, toBlue)];
}
