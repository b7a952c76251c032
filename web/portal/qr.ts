/** QR codes (ISO/IEC 18004) of texts as bytes, with the error correction level M: a library's would be three times as long. */

/** The codewords of error correction in each block, and the number of blocks, by version from 1 on. */
const CORRECTION = [
  ...[10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26],
  ...Array.from({ length: 19 }, () => 28),
];
const BLOCKS = [
  ...[1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31],
  ...[33, 35, 37, 38, 40, 43, 45, 47, 49],
];

/** Rows of modules, of which `true` is dark, without the border. */
export type Modules = readonly (readonly boolean[])[];

const at = (numbers: ArrayLike<number>, index: number) => numbers[index] ?? 0;
const bit = (value: number, index: number) => ((value >>> index) & 1) === 1;

/** Returns the QR code of a text; `undefined` if the text is too long for one. */
export function qrCodeOf(text: string): Modules | undefined {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + BLOCKS.findIndex((_, index) => bytes.length + (index < 9 ? 2 : 3) <= dataWords(index + 1));
  if (version === 0) return undefined;
  const words = interleaved(version, codewords(version, bytes));
  const codes = MASKS.map((_, mask) => drawn(version, words, mask));
  const penalties = codes.map(penaltyOf);
  return codes[penalties.indexOf(Math.min(...penalties))];
}

/** The words for data and error correction together. */
function allWords(version: number): number {
  const lines = version < 2 ? 0 : Math.floor(version / 7) + 2;
  const alignment = lines === 0 ? 0 : (25 * lines - 10) * lines - 55;
  return Math.floor(((16 * version + 128) * version + 64 - alignment - (version < 7 ? 0 : 36)) / 8);
}

function dataWords(version: number): number {
  return allWords(version) - at(CORRECTION, version - 1) * at(BLOCKS, version - 1);
}

/** The mode, the length, the bytes, and padding. */
function codewords(version: number, bytes: Uint8Array): number[] {
  const length = bytes.length.toString(2).padStart(version < 10 ? 8 : 16, '0');
  const body = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const words = `0100${length}${body}0000`.match(/.{8}/g) ?? [];
  const padding = Array.from({ length: dataWords(version) }, (_, index) => (index % 2 === 0 ? 0xec : 0x11));
  return [...words.map((word) => Number.parseInt(word, 2)), ...padding].slice(0, dataWords(version));
}

/** Splits words into blocks, each with its error correction, and takes one word of each block in turn. */
function interleaved(version: number, words: readonly number[]): number[] {
  const [count, size] = [at(BLOCKS, version - 1), at(CORRECTION, version - 1)];
  const short = Math.floor(words.length / count);
  const shortBlocks = count - (words.length % count);
  const divisor = divisorOf(size);
  const blocks = Array.from({ length: count }, (_, block) => {
    const start = block * short + Math.max(0, block - shortBlocks);
    return words.slice(start, start + short + (block < shortBlocks ? 0 : 1));
  });
  const inTurn = (lists: readonly (readonly number[])[]) =>
    Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, index) =>
      lists.flatMap((list) => list.slice(index, index + 1)),
    ).flat();
  return [...inTurn(blocks), ...inTurn(blocks.map((block) => remainder(block, divisor)))];
}

/** The product of two elements of the field with 256 elements. */
function multiply(one: number, other: number): number {
  let product = 0;
  for (let index = 7; index >= 0; index -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    if (bit(other, index)) product ^= one;
  }
  return product;
}

/** The coefficients of the generator polynomial of Reed and Solomon, without the first, which is 1. */
function divisorOf(degree: number): number[] {
  let result = [...Array.from({ length: degree - 1 }, () => 0), 1];
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    result = result.map((each, index) => multiply(each, root) ^ at(result, index + 1));
    root = multiply(root, 2);
  }
  return result;
}

function remainder(words: readonly number[], divisor: readonly number[]): number[] {
  let result = divisor.map(() => 0);
  for (const word of words) {
    const factor = word ^ at(result, 0);
    result = divisor.map((each, index) => at(result, index + 1) ^ multiply(each, factor));
  }
  return result;
}

/** Half of the masks of the standard: enough to avoid a code that is hard to read. A module is inverted at 0. */
const MASKS: readonly ((x: number, y: number) => number)[] = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
];

/** A module is `undefined` until it is drawn. */
type Cells = (boolean | undefined)[][];

function set(cells: Cells, x: number, y: number, isDark: boolean): void {
  const row = cells[y];
  if (row && x >= 0 && x < cells.length) row[x] = isDark;
}

/** Draws the patterns of a version, then the words around them. */
function drawn(version: number, words: readonly number[], mask: number): Modules {
  const size = version * 4 + 17;
  const cells: Cells = Array.from({ length: size }, () => Array.from({ length: size }, () => undefined));
  for (let index = 0; index < size; index += 1) {
    set(cells, 6, index, index % 2 === 0);
    set(cells, index, 6, index % 2 === 0);
  }
  const centers = centersOf(version, size);
  // The larger squares in three corners have no small ones.
  const isFree = (x: number, y: number) => x + y > 12 && Math.abs(x - y) < size - 13;
  for (const x of centers) for (const y of centers) if (isFree(x, y)) drawSquare(cells, x, y, 2);
  drawSquare(cells, 3, 3, 4);
  drawSquare(cells, size - 4, 3, 4);
  drawSquare(cells, 3, size - 4, 4);
  drawMask(cells, mask);
  if (version > 6) drawVersion(cells, version);
  drawWords(cells, words, mask);
  return cells.map((row) => row.map((isDark) => isDark === true));
}

/** Rings around a center: dark, light, dark. */
function drawSquare(cells: Cells, centerX: number, centerY: number, radius: number): void {
  for (let y = -radius; y <= radius; y += 1) {
    for (let x = -radius; x <= radius; x += 1) {
      const ring = Math.max(Math.abs(x), Math.abs(y));
      set(cells, centerX + x, centerY + y, radius === 2 ? ring !== 1 : ring !== 2 && ring !== 4);
    }
  }
}

/** Says twice which mask the code has. */
function drawMask(cells: Cells, mask: number): void {
  const size = cells.length;
  const code = withRemainder(mask, 0x537, 10) ^ 0x5412;
  for (let index = 0; index < 15; index += 1) {
    const isDark = bit(code, index);
    set(cells, 8, index < 6 ? index : index < 8 ? index + 1 : size - 15 + index, isDark);
    set(cells, index < 8 ? size - 1 - index : index === 8 ? 7 : 14 - index, 8, isDark);
  }
  set(cells, 8, size - 8, true);
}

/** Says twice which version the code has. */
function drawVersion(cells: Cells, version: number): void {
  const code = withRemainder(version, 0x1f25, 12);
  for (let index = 0; index < 18; index += 1) {
    const [x, y] = [cells.length - 11 + (index % 3), Math.floor(index / 3)];
    set(cells, x, y, bit(code, index));
    set(cells, y, x, bit(code, index));
  }
}

/** Fills what is left upward and downward in columns of two, from the right. */
function drawWords(cells: Cells, words: readonly number[], mask: number): void {
  const size = cells.length;
  let next = 0;
  // The column of the pattern between the corners is left out.
  for (let right = size - 1; right >= 1; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < 2 * size; step += 1) {
      const [x, rest] = [right - (step % 2), Math.floor(step / 2)];
      const y = ((right + 1) & 2) === 0 ? size - 1 - rest : rest;
      if (cells[y]?.[x] !== undefined) continue;
      set(cells, x, y, bit(at(words, next >>> 3), 7 - (next & 7)) !== (MASKS[mask]?.(x, y) === 0));
      next += 1;
    }
  }
}

/** The coordinates of the centers of the small squares. */
function centersOf(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => size - 7 - index * step)];
}

/** Appends the remainder of a division of polynomials to a number. */
function withRemainder(value: number, divisor: number, digits: number): number {
  let rest = value;
  for (let step = 0; step < digits; step += 1) rest = (rest << 1) ^ ((rest >>> (digits - 1)) * divisor);
  return (value << digits) | rest;
}

/** Long runs, squares, patterns as in the corners, and much more of one color make a code hard to read. */
function penaltyOf(modules: Modules): number {
  const columns = modules.map((_, x) => modules.map((row) => row[x] === true));
  let penalty = 0;
  for (const line of [...modules, ...columns].map((each) => each.map(Number).join(''))) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    penalty += 40 * Array.from(`0000${line}0000`.matchAll(/(?=00001011101|10111010000)/g)).length;
  }
  modules.forEach((row, y) => {
    row.forEach((isDark, x) => {
      const [right, below, across] = [row[x + 1], modules[y + 1]?.[x], modules[y + 1]?.[x + 1]];
      if (right === isDark && below === isDark && across === isDark) penalty += 3;
    });
  });
  const share = modules.flat().filter(Boolean).length / modules.length ** 2;
  return penalty + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}
