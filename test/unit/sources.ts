import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize, relative, sep } from 'node:path';

const TOP = join(import.meta.dirname, '..', '..');
const EXTENSIONS = new Set(['.ts', '.js', '.html', '.css']);

/** Texts of files by their paths from the top of the project, with "/" between folders. */
export type Sources = ReadonlyMap<string, string>;

/** Reads the sources under some folders; a folder that is not there yet has none. What a program made is left out. */
export function readSources(...folders: string[]): Sources {
  return new Map(
    folders
      .flatMap((folder) => filesUnder(join(TOP, folder)))
      .map((file) => [file, readFileSync(join(TOP, file), 'utf8')]),
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
    .map((entry) => relative(TOP, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !file.includes('node_modules/'));
}

const list = (folder: string) => readdirSync(folder, { recursive: true, withFileTypes: true });

// Statements begin their line, as the formatter has it, and may go on over several. A text that only looks like one
// names a module too many: a false alarm, never a gap.
const STATEMENT = /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(.+?)\1/gm;
const BARE = /^\s*import\s*(['"])(.+?)\1/gm;
const CALL = /\b(?:import|require|getBuiltinModule)\s*\(\s*(['"`])(.+?)\1/g;
const COMPUTED = /\b(?:import|require)\s*\(\s*[^'"`\s]/g;

/** The modules that a file names: paths from the top for its neighbours, names for packages, "?" for one it computes. */
export function importsOf(file: string, source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const named = [STATEMENT, BARE, CALL].flatMap((form) => [...code.matchAll(form)].map((match) => match[2] ?? ''));
  const computed = [...code.matchAll(COMPUTED)].map(() => '?');
  return [...named, ...computed].map((name) =>
    name.startsWith('.')
      ? normalize(join(dirname(file), name))
          .split(sep)
          .join('/')
      : name,
  );
}
