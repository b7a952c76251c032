import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { ignoreEnter, useWrite } from '../../kit/forms.tsx';
import { Problem, Waiting } from '../../kit/messages.tsx';
import { tell } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import * as SHELL from '../../words/dashboard/shell.ts';
import { keepOpen } from '../form-dialog.tsx';
import { guardRoute } from '../router.ts';
import { api } from '../service.ts';
import { FieldView, isAtField } from './field-view.tsx';
import { type Changes, type Draft, type Field, faultIn, parsed } from './fields.ts';

interface SettingsFormProps {
  readonly fields: readonly Field[];
  /** What is stored. */
  readonly draft: Draft;
  /** Sends what was changed. Returns what is stored then; nothing if its dialog closes. */
  readonly onSave: (changes: Changes, draft: Draft) => Promise<Draft | undefined>;
  readonly isLocked?: boolean;
  /**
   * Becomes true while something is typed that its dialog would lose. In a dialog, Enter in a field sends nothing, and
   * fields that were not changed are sent as well.
   */
  readonly unsaved?: { current: boolean };
  /** Places the fields by their names. By default, all stand below each other. */
  readonly children?: (
    view: (...names: readonly string[]) => ComponentChildren,
    draft: Draft,
    onChange: (changes: Draft) => void,
  ) => ComponentChildren;
}

/**
 * A form that sends only what was changed, so that nobody else's change is undone. What the API refuses stands at its field,
 * which gets the focus. The page asks before changes are lost.
 */
export function SettingsForm(props: SettingsFormProps) {
  const { fields, draft: given, onSave, isLocked = false, unsaved, children } = props;
  const isInDialog = unsaved !== undefined;
  const [before, setBefore] = useState(given);
  const [draft, setDraft] = useState(given);
  const form = useRef<HTMLFormElement>(null);
  const isChanged = ({ name }: Pick<Field, 'name'>) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]);
  const own = useRef(false);
  const isUnsaved = unsaved ?? own;
  isUnsaved.current = fields.some(isChanged);
  useEffect(() => (isInDialog || isLocked ? undefined : guardRoute(() => isUnsaved.current)), [isLocked]);
  useEffect(() => {
    if (isInDialog) keepOpen(form.current);
  }, []);
  // Somebody else's changes appear as long as nothing was typed.
  const stored = JSON.stringify(given);
  useEffect(() => {
    if (isUnsaved.current) return;
    setBefore(given);
    setDraft(given);
  }, [stored]);
  const { error, isSending, submit } = useWrite(async () => {
    const sent = fields.filter((field) => field.isShown?.(draft) !== false && (isInDialog || isChanged(field)));
    const changes = Object.fromEntries(sent.map((field) => [field.name, parsed(field, draft)]));
    if (sent.length === 0) return tell(SETTINGS.saved);
    const next = await onSave(changes, draft);
    if (next === undefined) return;
    setBefore(next);
    // What was typed while the request ran stays.
    setDraft((last) => ({
      ...next,
      ...Object.fromEntries(Object.entries(last).filter(([name]) => last[name] !== draft[name])),
    }));
  });
  const refusal = faultIn(error);
  useEffect(() => {
    if (refusal) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const change = (changes: Draft) => setDraft((last) => ({ ...last, ...changes }));
  const view = (...names: readonly string[]) =>
    fields
      .filter(({ name }) => names.includes(name))
      .map((field) => <FieldView key={field.name} {...{ field, draft, refusal }} onChange={change} />);
  return (
    <form class="form settings-form" ref={form} onSubmit={submit} onKeyDown={isInDialog ? ignoreEnter : undefined}>
      <fieldset class="form plain" disabled={isLocked}>
        {children ? children(view, draft, change) : view(...fields.map(({ name }) => name))}
      </fieldset>
      {error && !(refusal && isAtField(fields, draft, refusal.place)) && <Problem error={named(error, fields)} />}
      <Waiting api={api} />
      {!isLocked && (
        <div class="buttons">
          <button type="submit" class="primary" aria-disabled={isSending}>
            {COMMON.save}
          </button>
        </div>
      )}
    </form>
  );
}

interface SettingsDialogProps extends Pick<SettingsFormProps, 'fields' | 'draft' | 'onSave' | 'children'> {
  readonly title: string;
  readonly onClose: () => void;
  /** Stands in place of the form when it has done its work. */
  readonly result?: ComponentChildren;
}

/** A form in a dialog, which asks before it loses what was typed. */
export function SettingsDialog({ title, onClose, result, ...form }: SettingsDialogProps) {
  const unsaved = useRef(false);
  const close = () => {
    if (result || !unsaved.current || confirm(SHELL.unsaved)) onClose();
  };
  return (
    <Dialog title={title} onClose={close}>
      {result ?? <SettingsForm {...form} unsaved={unsaved} />}
    </Dialog>
  );
}

interface StoredFormProps<Stored> extends Pick<SettingsFormProps, 'fields' | 'isLocked' | 'children'> {
  readonly stored: Stored;
  readonly draftOf: (stored: Stored) => Draft;
  /** Sends what was changed. Returns what is stored then. */
  readonly save: (changes: Changes, draft: Draft) => Promise<Stored>;
}

/** A form of a section, which says that it saved. */
export function StoredForm<Stored>({ stored, draftOf, save, ...form }: StoredFormProps<Stored>) {
  return (
    <SettingsForm
      {...form}
      draft={draftOf(stored)}
      onSave={async (...written) => {
        const next = draftOf(await save(...written));
        tell(SETTINGS.saved);
        return next;
      }}
    />
  );
}

/** An error of a field that shows none, or may be out of sight, with the words of the page. */
function named(error: ApiError, fields: readonly Field[]): ApiError {
  const refusal = faultIn(error);
  const field = fields.find(({ name }) => name === refusal?.place);
  if (!field || !refusal) return error;
  const { inside, label } = field;
  return new ApiError(`${inside === undefined ? '' : `${inside}: `}${label} ${refusal.says}`, error.status);
}
