import fc from 'fast-check';

/** The first surrogate, which is half of a character, and how many there are. */
const [SURROGATES, COUNT] = [0xd800, 0x800];

/**
 * Any Unicode character, as a unit of `fc.string`. fast-check's own unit `binary` has the same characters, but stores all
 * of them in a map first, which takes a second in each test file.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - COUNT }).map(
  (index) => String.fromCodePoint(index < SURROGATES ? index : index + COUNT),
  (character) => {
    const code = String(character).codePointAt(0) ?? 0;
    if (String.fromCodePoint(code) !== character) throw new Error('This is not a single character.');
    return code < SURROGATES ? code : code - COUNT;
  },
);
