import type { ComponentChildren } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/components/buttons/button.tsx';
import { strictContext, useText } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { SecretField } from './secret-field.tsx';
import { useSecret } from './use-secret.ts';

/** What a dialog asks the vault's passphrase for. */
export interface PassphraseQuestion {
  /** The heading. */
  readonly title: string;
  /** What the work entails, in a sentence or more. */
  readonly detail?: ComponentChildren;
  /** Below the field. */
  readonly hint?: string;
  /** The label of the button that does it; by default the heading. */
  readonly confirm?: string;
  readonly isDanger?: boolean;
}

/** Work that needs the passphrase. Rejects with AUTH_FAILED for a wrong one. */
type Work = (by: { readonly passphrase: string }) => Promise<unknown>;

/**
 * Asks for the vault's passphrase in a dialog and runs the work with it; a wrong one is asked for again.
 *
 * @returns false where the user cancels; rejects with other errors of the work
 */
export type AskPassphrase = (question: PassphraseQuestion, work: Work) => Promise<boolean>;

const [AskProvider, useAsk] = strictContext<AskPassphrase>('passphrase dialog');

/** The only way of the manager's screens to the vault's passphrase. */
export const useAskPassphrase = useAsk;

interface Asked {
  readonly question: PassphraseQuestion;
  readonly work: Work;
  readonly resolve: (done: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Holds the dialog for `useAskPassphrase`. */
export function PassphraseDialogs({ children }: { readonly children: ComponentChildren }) {
  const [asked, setAsked] = useState<Asked>();
  const ask: AskPassphrase = useCallback(
    (question, work) =>
      new Promise<boolean>((resolve, reject) => setAsked({ question, work, resolve, reject })),
    [],
  );
  return (
    <AskProvider value={ask}>
      {children}
      {asked && <PassphraseDialog {...asked} onEnd={() => setAsked(undefined)} />}
    </AskProvider>
  );
}

function PassphraseDialog(props: Asked & { readonly onEnd: () => void }) {
  const { question, work, resolve, reject, onEnd } = props;
  const text = useText();
  const action = useAction();
  const secret = useSecret();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = secret.input;
  useLayoutEffect(() => {
    dialog.current?.showModal();
    field.current?.focus();
  }, [field]);
  const end = (settle: () => void) => {
    dialog.current?.close(); // gives the focus back
    onEnd();
    settle();
  };
  const cancel = (event: Event) => {
    event.preventDefault();
    if (!action.busy) end(() => resolve(false));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (!secret.check()) return;
    action.run(async () => {
      try {
        const isRight = await secret.accepted(() => work({ passphrase: secret.value }));
        if (isRight) end(() => resolve(true));
      } catch (error) {
        end(() => reject(error));
      }
    });
  };
  const { title, detail, hint, confirm = title, isDanger = false } = question;
  return (
    <dialog ref={dialog} aria-labelledby="passphrase-dialog-title" onCancel={cancel}>
      <form class="stack" onSubmit={submit}>
        <h2 id="passphrase-dialog-title">{title}</h2>
        {detail}
        <SecretField
          id="current-passphrase"
          label={text.t('currentPassphrase')}
          {...(hint !== undefined && { hint })}
          pictured
          secret={secret}
        />
        <div class="actions">
          <Button id="cancel-passphrase" unavailable={action.busy} onClick={cancel}>
            {text.t('cancel')}
          </Button>
          <Button
            id="confirm-passphrase"
            type="submit"
            variant={isDanger ? 'danger' : 'primary'}
            busy={action.busy}
          >
            {confirm}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
