import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize, relative, sep } from 'node:path';

/** The folder of the repository. */
const ROOT = join(import.meta.dirname, '../../..');
const EXTENSIONS = new Set(['.ts', '.tsx', '.js', '.html', '.css']);

/** The texts of files, by their paths in the repository with "/" between folders. */
export type Sources = ReadonlyMap<string, string>;

/** Reads the sources in some folders, without the generated validators. A missing folder has none. */
export function readSources(...folders: string[]): Sources {
  return new Map(
    folders
      .flatMap((folder) => filesUnder(join(ROOT, folder)))
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
  );
}

function filesUnder(folder: string): string[] {
  let entries: ReturnType<typeof list>;
  try {
    entries = list(folder);
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile() && EXTENSIONS.has(extname(entry.name)) && entry.name !== 'validators.js')
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !file.includes('node_modules/'));
}

const list = (folder: string) => readdirSync(folder, { recursive: true, withFileTypes: true });

// The formatter puts each statement at the start of a line; it may continue on the next lines. A string that looks like
// an import is reported as one: a false alarm, never a missed import.
const STATEMENT = /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(.+?)\1/gm;
const BARE = /^\s*import\s*(['"])(.+?)\1/gm;
const CALL = /\b(?:import|require|getBuiltinModule)\s*\(\s*(['"`])(.+?)\1/g;
const COMPUTED = /\b(?:import|require)\s*\(\s*[^'"`\s]/g;

const TYPES = /^\s*(?:import|export) type\b[^'"`;]*?\bfrom\s*(['"]).+?\1/gm;

/**
 * The modules that a file imports: paths in the repository, names of packages, and "?" for a computed name. With
 * `values`, leaves out modules from which the file imports only types.
 */
export function importsOf(file: string, source: string, which: 'all' | 'values' = 'all'): string[] {
  const code = (which === 'values' ? source.replace(TYPES, '') : source)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  const named = [STATEMENT, BARE, CALL].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => match[2] ?? ''),
  );
  const computed = [...code.matchAll(COMPUTED)].map(() => '?');
  return [...named, ...computed].map((name) =>
    name.startsWith('.')
      ? normalize(join(dirname(file), name))
          .split(sep)
          .join('/')
      : name,
  );
}
