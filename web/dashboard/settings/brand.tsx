import { useRef, useState } from 'preact/hooks';
import { isColor, readableAccent, textOn } from '../../kit/accent.ts';
import { ApiError } from '../../kit/api-error.ts';
import { Button } from '../../kit/button.tsx';
import { useWrite } from '../../kit/forms.tsx';
import { logoOf } from '../../kit/logo.ts';
import { tell } from '../../kit/toast.tsx';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import { Confirm } from '../form-dialog.tsx';
import { api } from '../service.ts';
import { type Draft, type Field, textIn, textOrNull, typed } from './fields.ts';
import { StoredForm } from './form.tsx';
import { type ProgramSectionProps, type ProgramSettings, useProgram } from './stored.ts';

const FIELDS: readonly Field[] = [
  {
    name: 'accent',
    label: SETTINGS.accent,
    hint: SETTINGS.accentHint,
    example: SETTINGS.accentExample,
    parse: textOrNull,
  },
];

const draftOf = ({ accent }: ProgramSettings): Draft => ({ accent: typed(accent) });

export function BrandSection(program: ProgramSectionProps) {
  const settings = program.stored;
  return (
    <>
      <Logo settings={settings} isLocked={program.isLocked} />
      <StoredForm {...program} fields={FIELDS} draftOf={draftOf}>
        {(view, draft, onChange) => (
          <>
            <div class="accent-line">
              {view('accent')}
              <input
                type="color"
                aria-label={SETTINGS.chooseAccent}
                value={isColor(textIn(draft, 'accent')) ? textIn(draft, 'accent') : SETTINGS.accentExample}
                onInput={({ currentTarget }) => onChange({ accent: currentTarget.value })}
              />
            </div>
            <section class="previews" aria-label={SETTINGS.preview}>
              <Sample theme="light" settings={settings} accent={textIn(draft, 'accent')} />
              <Sample theme="dark" settings={settings} accent={textIn(draft, 'accent')} />
            </section>
          </>
        )}
      </StoredForm>
    </>
  );
}

const MAX_BYTES = 65_536;

/** The logo. It is stored as soon as it is chosen. */
function Logo({ settings, isLocked }: { readonly settings: ProgramSettings; readonly isLocked: boolean }) {
  const { keep } = useProgram();
  const input = useRef<HTMLInputElement>(null);
  const [isRemoving, setRemoving] = useState(false);
  const chosen = useRef<File | undefined>(undefined);
  const { error, run } = useWrite(async () => {
    const file = chosen.current;
    if (!file) return;
    if (file.size > MAX_BYTES) throw new ApiError(SETTINGS.logoSize, -1);
    const body = { image: await base64Of(file) };
    const { logo_version } = (await api.send('put', '/v2/program/logo', { body })).body.data.attributes;
    keep({ logo_version });
    tell(SETTINGS.logoSaved);
  });
  const logo = logoOf(settings.public_key, settings.logo_version);
  return (
    <div class="form">
      <div class="logo-line">
        <span class="field">{SETTINGS.logo}</span>
        {logo !== undefined && <img class="logo" src={logo} alt={settings.name} />}
        {!isLocked && (
          <div class="buttons">
            <Button label={SETTINGS.chooseLogo} onClick={() => input.current?.click()} />
            {logo !== undefined && (
              <Button label={SETTINGS.removeLogo} kind="quiet" onClick={() => setRemoving(true)} />
            )}
          </div>
        )}
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          hidden
          aria-label={SETTINGS.logo}
          onChange={({ currentTarget }) => {
            chosen.current = currentTarget.files?.[0];
            // The same file can be chosen again.
            currentTarget.value = '';
            void run();
          }}
        />
        <p class="hint">{SETTINGS.logoHint}</p>
        <p class="fault" role="alert">
          {error && (error.code === 'invalid_field' ? SETTINGS.logoType : error.message)}
        </p>
      </div>
      {isRemoving && (
        <Confirm
          title={SETTINGS.removeLogo}
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await api.send('delete', '/v2/program/logo');
            keep({ logo_version: null });
            setRemoving(false);
            tell(SETTINGS.logoRemoved);
          }}
        >
          <p>{SETTINGS.removeLogoAdvice}</p>
        </Confirm>
      )}
    </div>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));
}

interface SampleProps {
  readonly theme: 'light' | 'dark';
  readonly settings: ProgramSettings;
  readonly accent: string;
}

/** How the portal looks to an advocate. */
function Sample({ theme, settings, accent }: SampleProps) {
  const color = isColor(accent.trim()) ? readableAccent(accent.trim(), theme) : undefined;
  const logo = logoOf(settings.public_key, settings.logo_version);
  const style = {
    colorScheme: theme,
    ...(color !== undefined && { '--accent': color, '--on-accent': textOn(color) }),
  };
  return (
    <div class="sample" style={style}>
      <p class="soft">{theme === 'light' ? SETTINGS.light : SETTINGS.dark}</p>
      {logo === undefined ? <bdi>{settings.name}</bdi> : <img class="logo" src={logo} alt={settings.name} />}
      <p>
        {SETTINGS.sampleLink} <span class="sample-link">{new URL(settings.site_url).host}</span>
      </p>
      <span class="sample-button">{SETTINGS.sampleCopy}</span>
    </div>
  );
}
