import { type ApiDocument, exampleOf } from './example.ts';
import { LANGUAGES, type Language, samplesOf } from './samples.ts';

/**
 * Swagger UI's plugin for this page: the prose at the end, samples of each request, and only successful responses open.
 * It omits the list of servers, because requests go to this service, and the list of schemas, because each operation
 * shows its own.
 */
export function reference({ React, getComponent, specSelectors }: SwaggerSystem): SwaggerPlugin {
  const element = React.createElement;
  return {
    components: {
      Reference: () =>
        element(
          'div',
          { className: 'swagger-ui' },
          element(getComponent('SvgAssets'), null),
          element(getComponent('errors', true), null),
          element(getComponent('AuthorizeBtnContainer', true), null),
          element('h2', { className: 'unseen' }, 'Operations'),
          element(getComponent('operations', true), null),
          element(getComponent('Webhooks', true), null),
          element(
            'section',
            { id: 'about', tabIndex: -1, className: 'about' },
            element('h2', null, 'About this API'),
            element(getComponent('Markdown', true), {
              source: folded(specSelectors.info().get('description') ?? ''),
            }),
          ),
        ),
    },
    wrapComponents: { responses: withSamples, response: foldedUnlessSuccessful },
  };
}

/** Folds each section of a Markdown text under its title. */
function folded(markdown: string): string {
  const [introduction = '', ...sections] = markdown.split(/^## /m);
  const parts = sections.map((section) => {
    const [title = '', ...lines] = section.split('\n');
    return `<details>\n<summary>${title}</summary>\n\n${lines.join('\n').trim()}\n\n</details>`;
  });
  return [introduction, ...parts].join('\n\n');
}

/** Adds a row with a button above the response of an error, which opens it. The row shows the codes of the error. */
const foldedUnlessSuccessful: SwaggerPlugin['wrapComponents']['response'] = (Original, { React }) => {
  const element = React.createElement;
  return (props) => {
    const [isOpen, setOpen] = React.useState(false);
    if (props.code.startsWith('2')) return element(Original, props);
    const { description, content = {} } = props.response.toJS();
    const codes = Object.keys(content['application/json']?.examples ?? {});
    const button = element(
      'button',
      { type: 'button', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
      element('b', null, props.code),
      codes.length > 0 ? element('code', null, codes.join(', ')) : description,
    );
    return element(
      React.Fragment,
      null,
      element('tr', { className: 'fold' }, element('td', { colSpan: 3 }, button)),
      isOpen ? element(Original, props) : null,
    );
  };
};

/** The language of all samples. */
let chosen: Language = LANGUAGES[0];
const listeners = new Set<() => void>();
function choose(language: Language): void {
  chosen = language;
  for (const listener of listeners) listener();
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Adds samples of the request above the responses of an operation. */
const withSamples: SwaggerPlugin['wrapComponents']['responses'] = (Original, system) => {
  const { React, specSelectors, authSelectors } = system;
  const element = React.createElement;
  let document: ApiDocument | undefined;

  const tokenOf = (scheme: string) => authSelectors.authorized().getIn([scheme, 'value']);
  const Samples = ({ path, method }: SwaggerResponses) => {
    const language = React.useSyncExternalStore(subscribe, () => chosen);
    const [status, setStatus] = React.useState({ code: '', text: '' });
    document ??= specSelectors.specJson().toJS();
    const request = exampleOf(document, path, method, {
      baseUrl: location.origin,
      tokens: {
        programToken: tokenOf('programToken') ?? '<program token>',
        affiliateToken: tokenOf('affiliateToken') ?? '<affiliate token>',
      },
    });
    if (!request) return element(React.Fragment, null);
    const code = samplesOf(request)[language];
    const copy = () =>
      navigator.clipboard.writeText(code).then(
        () => setStatus({ code, text: 'Copied' }),
        () => setStatus({ code, text: 'Select the code and copy it' }),
      );
    const tabs = LANGUAGES.map((name) =>
      element('button', { type: 'button', 'aria-pressed': name === language, onClick: () => choose(name) }, name),
    );
    return element(
      'section',
      { className: 'samples' },
      element('div', { className: 'opblock-section-header' }, element('h4', null, 'Samples')),
      element(
        'div',
        { className: 'languages' },
        element('div', { role: 'group', 'aria-label': 'Language' }, ...tabs),
        element('span', { role: 'status' }, status.code === code ? status.text : ''),
        element('button', { type: 'button', 'aria-label': `Copy the sample in ${language}`, onClick: copy }, 'Copy'),
      ),
      element('pre', { tabIndex: 0 }, code),
    );
  };

  return (props) => element(React.Fragment, null, element(Samples, props), element(Original, props));
};
