import { useState } from 'preact/hooks';
import { CopyButton } from '../../kit/copy-button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/fields.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/links.ts';
import { deepLink } from '../deep-link.ts';
import { rulesOf } from '../labels.ts';
import type { Affiliate } from '../service.ts';

interface NewLinkProps {
  readonly about: Affiliate;
  readonly onClose: () => void;
}

/** Composes a link to a page of the site. Nothing is stored: the label exists once somebody follows the link. */
export function NewLink({ about, onClose }: NewLinkProps) {
  const [page, setPage] = useState('');
  const [label, setLabel] = useState('');
  const result = deepLink(page, label.trim(), rulesOf(about));
  const link = 'link' in result ? result.link : '';
  return (
    <Dialog title={WORDS.newLink} onClose={onClose}>
      <div class="form">
        <TextField
          label={WORDS.page}
          inputMode="url"
          placeholder={WORDS.pageExample}
          hint={WORDS.pageHint(new URL(about.program.site_url).hostname.replace(/^www\./, ''))}
          value={page}
          fault={'fault' in result ? WORDS.faults[result.fault] : undefined}
          onInput={setPage}
        />
        <TextField
          label={WORDS.label}
          placeholder={WORDS.labelExample}
          maxLength={128}
          value={label}
          onInput={setLabel}
        />
        <div class="field">
          <span aria-hidden="true">{WORDS.made}</span>
          <output class="made" aria-label={WORDS.made}>
            {link}
          </output>
        </div>
        {link !== '' && <CopyButton text={link} label={COMMON.copyLink} class="primary" />}
      </div>
    </Dialog>
  );
}
