import type { Part } from './own-text.ts';

/** An address to open, and the words on its button or link. */
export interface Action {
  readonly label: string;
  readonly url: string;
}

/** An email before it becomes text or HTML. All its texts are plain, and each is one paragraph. */
export interface Letter {
  readonly subject: string;
  /** The name of the program. */
  readonly sender: string;
  readonly heading: string;
  readonly greeting: string;
  /** What happened. */
  readonly before: readonly string[];
  /** Figures with their names. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** What follows from it, and what to do. */
  readonly advice: readonly string[];
  /** The own paragraph of the merchant; empty without one. */
  readonly own: readonly Part[];
  /** One is a button; several are a list. */
  readonly actions: readonly Action[];
  /** What else to know. */
  readonly after: readonly string[];
  /** Why the person gets the email, and the merchant's postal address. */
  readonly footer: readonly string[];
  readonly unsubscribe: Action | null;
}

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const TABLE = '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

// The colors of web/style.css. Programs that ignore the style sheet show the light ones, which are also inline.
const INK = '#171b22';
const SOFT = '#545d6b';
const LINE = '#e3e6eb';
const ACCENT = '#4a45d6';
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
.row{display:block;padding:12px 16px;border:1px solid ${LINE};border-radius:8px;font-weight:600;text-decoration:none}
@media (max-width:480px){.card{padding:24px 20px!important}}
@media (prefers-color-scheme:dark){.page{background:#0d1015!important}.card{background:#161a21!important}
.card,.line,.row{border-color:#282e39!important}.ink{color:#eceff4!important}.soft{color:#a3adbb!important}
.link{color:#9c98ff!important}.button{background:#9c98ff!important}.on{color:#0d1015!important}}`;

/**
 * Writes an email as a page without images, scripts and resources of others. It uses tables, because Outlook on Windows
 * knows neither `max-width` nor the padding of other elements.
 */
export function toHtml(letter: Letter): string {
  const { subject, sender, heading, greeting, before, facts, advice, own, actions, after, footer, unsubscribe } =
    letter;
  const top = [greeting, ...before].map((text) => paragraph(escapeHtml(text)));
  const middle = advice.map((text) => paragraph(escapeHtml(text)));
  if (own.length > 0) middle.push(paragraph(own.map(partHtml).join(''), ' dir="auto"'));
  const notes = after.map((text) => note(escapeHtml(text)));
  const small = footer.map((text) => note(escapeHtml(text)));
  if (unsubscribe) small.push(note(linkTo(unsubscribe.url, unsubscribe.label, 'soft', SOFT)));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<style>${STYLE}</style></head>
<body class="page" style="margin:0;padding:0;background:#f6f7f9;-webkit-text-size-adjust:100%">
${TABLE} class="page" style="background:#f6f7f9"><tr><td align="center" style="padding:32px 12px">
<!--[if mso]><table role="presentation" width="560"><tr><td><![endif]-->
${TABLE} style="max-width:560px;text-align:left;${FONT};overflow-wrap:anywhere;word-break:break-word">
<tr><td class="ink" style="padding:0 4px 16px;font-size:15px;font-weight:600;line-height:1.4;color:${INK}">${escapeHtml(sender)}</td></tr>
<tr><td class="card" style="padding:32px;background:#fff;border:1px solid ${LINE};border-radius:12px">
<h1 class="ink" style="margin:0 0 20px;font-size:22px;line-height:1.3;letter-spacing:-.01em;color:${INK}">${escapeHtml(heading)}</h1>
${[...top, factTable(facts), ...middle, actionsHtml(actions), ...notes].join('\n')}
</td></tr>
<tr><td style="padding:12px 4px 0">
${small.join('\n')}
</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table></body></html>
`;
}

function paragraph(html: string, attributes = ''): string {
  return `<p class="ink"${attributes} style="margin:0 0 16px;font-size:16px;line-height:1.55;color:${INK}">${html}</p>`;
}

function note(html: string): string {
  return `<p class="soft" style="margin:8px 0 0;font-size:13px;line-height:1.5;color:${SOFT}">${html}</p>`;
}

function factTable(facts: Letter['facts']): string {
  if (facts.length === 0) return '';
  const rows = facts.map(
    ([name, value]) =>
      `<tr valign="top"><td class="soft line" style="padding:10px 24px 10px 0;border-bottom:1px solid ${LINE};white-space:nowrap;color:${SOFT}">${escapeHtml(name)}</td>
<td class="ink line" align="right" style="padding:10px 0;border-bottom:1px solid ${LINE};font-weight:600;color:${INK}">${escapeHtml(value)}</td></tr>`,
  );
  return `${TABLE} class="line" style="margin:4px 0 20px;border-top:1px solid ${LINE};font-size:15px;line-height:1.5">${rows.join('\n')}</table>`;
}

function actionsHtml(actions: readonly Action[]): string {
  const [first, ...others] = actions;
  if (first === undefined) return '';
  if (others.length > 0) {
    const rows = actions.map(
      ({ url, label }) => `<p style="margin:0 0 8px">${linkTo(url, label, 'row link', ACCENT)}</p>`,
    );
    return `<div style="padding:4px 0 8px;font-size:15px;line-height:1.4">\n${rows.join('\n')}\n</div>`;
  }
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 16px"><tr>
<td class="button" bgcolor="${ACCENT}" style="border-radius:8px;background:${ACCENT};mso-padding-alt:13px 24px">
<a class="on" href="${escapeHtml(first.url)}" style="display:inline-block;padding:13px 24px;font-size:16px;font-weight:600;line-height:1.25;color:#fff;text-decoration:none">${escapeHtml(first.label)}</a></td></tr></table>`;
}

/** An address within a paragraph is short, because codes in it say nothing to people. */
function partHtml(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part);
  const { host, pathname } = new URL(part.url);
  return linkTo(part.url, host + pathname, 'link', ACCENT);
}

const linkTo = (url: string, label: string, name: string, color: string) =>
  `<a class="${name}" href="${escapeHtml(url)}" style="color:${color}">${escapeHtml(label)}</a>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
