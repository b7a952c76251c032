import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import * as ACCOUNT from '../../words/portal/account.ts';
import * as WORDS from '../../words/portal/home.ts';
import { QrDialog } from '../qr-code.tsx';
import type { Affiliate } from '../service.ts';
import { useCommission } from '../terms.tsx';
import { LinkCard } from './link-card.tsx';

/** What an advocate sees whose link nobody has followed yet: the link, what it earns, and three ways to share it. */
export function FirstSteps({ about }: { readonly about: Affiliate }) {
  const { referral_link: link, slug, program } = about;
  const commission = useCommission(about);
  const [isShown, setShown] = useState(false);
  const text = WORDS.message(program.name, link);
  const mail = `mailto:?subject=${encodeURIComponent(WORDS.recommend(program.name))}&body=${encodeURIComponent(text)}`;
  return (
    <>
      <LinkCard about={about} />
      <Card title={WORDS.commission}>
        <p class="lead">{commission === null ? ACCOUNT.noRate : commission && WORDS.earn(commission)}</p>
      </Card>
      <Card title={WORDS.share}>
        <ul class="stats ways">
          <li>
            <h3>{WORDS.send}</h3>
            <p class="soft">{WORDS.mailAdvice}</p>
            <a class="button" href={mail}>
              {WORDS.mail}
            </a>
          </li>
          <li>
            <h3>{WORDS.post}</h3>
            <p class="soft">{WORDS.postAdvice}</p>
            <CopyButton text={text} label={WORDS.copyText} />
          </li>
          <li>
            <h3>{WORDS.show}</h3>
            <p class="soft">{WORDS.showAdvice}</p>
            <Button label={WORDS.showCode} onClick={() => setShown(true)} />
          </li>
        </ul>
      </Card>
      {isShown && <QrDialog link={link} name={slug} onClose={() => setShown(false)} />}
    </>
  );
}
