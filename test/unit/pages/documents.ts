import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of a document. */
export const sectionText = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

/** The words in backticks. */
export const codeSpans = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
