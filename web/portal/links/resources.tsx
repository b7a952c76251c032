import { Card } from '../../kit/card.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import * as WORDS from '../../words/portal/links.ts';
import { api } from '../service.ts';

/** What the program gives its advocates to share, if it gives anything. */
export function Resources() {
  const [loaded] = useLoaded(
    async (signal) => (await api.send('get', '/v2/affiliate/resources', { signal })).body.data.attributes.resources,
    [],
  );
  const resources = readyOf(loaded)?.value ?? [];
  if (resources.length === 0) return null;
  return (
    <Card title={WORDS.resources}>
      <ul class="form">
        {resources.map(({ title, text, url }) => (
          <li key={title}>
            <h3>
              <bdi>{title}</bdi>
            </h3>
            {text !== null && <p class="lines soft">{text}</p>}
            <div class="buttons">
              {text !== null && <CopyButton text={text} label={WORDS.copyLabel(title)} />}
              {url !== null && /^https?:/.test(url) && (
                <a href={url} target="_blank" rel="noopener noreferrer">
                  {new URL(url).hostname}
                </a>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
