import { readFile } from 'node:fs/promises';

const README = 'README.md';
const LINK = /\[([^\]]+)\]\([^)]+\)/g;
/** A link, and the words in parentheses after it. */
const DOCUMENT = /(\[[^\]]+\]\([^)]+\))(?: \(([^)]+)\))?/g;

const HOW_TO_READ =
  "The links are files of the project's repository, not of a server that returns this text as `/llms.txt`.";
const HOW_TO_CALL = [
  'Call the API: JSON over HTTPS with `Authorization: Bearer <token>`. [openapi.json](openapi.json) describes each operation: schemas, examples, errors, limits. A running `npm start` serves it at `/openapi.json`.',
  'Ask as an assistant: `POST /mcp` is the Model Context Protocol, with read-only tools and the same tokens. `./referrals mcp-config --program ID` prints what a client needs ([docs/assistants.md](docs/assistants.md)).',
];

/**
 * Returns `llms.txt` (https://llmstxt.org), made from the name, the first paragraph and the list of documents of the README.
 * Git has the file, unlike most generated files, because assistants also look for it in the repository.
 */
export async function llmsFiles(): Promise<Record<string, string>> {
  const readme = await readFile(README, 'utf8');
  const [, name, summary = ''] = /^# (.+)\n\n(.+)\n/.exec(readme) ?? [];
  const [, list = ''] = /^## Documents\n\n((?:- .+\n)+)/m.exec(readme) ?? [];
  if (name === undefined || list === '') throw new Error(`${README} has no name or no list "Documents".`);
  const text = [
    `# ${name}`,
    `> ${summary.replace(LINK, '$1')}`,
    HOW_TO_READ,
    itemsOf(HOW_TO_CALL),
    '## Documents',
    itemsOf(list.trimEnd().split('\n').flatMap(entriesOf)),
  ];
  return { 'llms.txt': `${text.join('\n\n')}\n` };
}

const itemsOf = (texts: readonly string[]) => texts.map((text) => `- ${text}`).join('\n');

/** An entry for each document of a line such as `- deploy: [docs/deploy.md](docs/deploy.md) (settings, costs), …`. */
function entriesOf(line: string): string[] {
  const [, purpose = ''] = /^- (.+?): \[/.exec(line) ?? [];
  return [...line.matchAll(DOCUMENT)].map(([, link, words]) => `${link}: ${purpose}${words ? ` (${words})` : ''}`);
}
