import { useState } from 'preact/hooks';
import { Copy, Download } from 'lucide-preact';
import type { OwnSharingKey as SharingKey } from '../../../src/rpc/methods/ui-contacts.ts';
import { safeFileName } from '../../../src/format/file-name.ts';
import { parsePublicKey } from '../../../src/format/wire/public-key.ts';
import { hybridRecipient } from '../../../src/format/recipients/age-text.ts';
import { PACKED_PAGE, PAGE_NAME, withKey } from '../../../src/release/drop-page.ts';
import { MAX_LABEL_CHARACTERS } from '../../../src/rpc/limits.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { Advanced } from '../../ui/components/advanced.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { CopyButton } from '../../ui/components/copy-button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Select } from '../../ui/components/forms/select.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { download } from '../../ui/environment/download.ts';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import type { UiClient } from '../../ui/environment/ui-client.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useDraft } from '../../ui/hooks/use-draft.ts';
import { plainName } from '../../ui/text/plain-text.ts';
import type { Text } from '../../ui/text/i18n.ts';
import { invitationText } from './invitation.ts';

interface OwnSharingKeyProps {
  readonly keys: readonly SharingKey[];
  readonly chosen: SharingKey | undefined;
  readonly onChoose: (ref: string) => void;
  readonly onMade: () => Promise<void>;
}

/** Gives the user's public key to others: as a file, as a text to send, or as it is. */
export function OwnSharingKey({ keys, chosen, onChoose, onMade }: OwnSharingKeyProps) {
  const { text } = useEnvironment();
  return (
    <section class="stack card" id="own-public-key" aria-labelledby="own-public-key-title">
      <h2 id="own-public-key-title">{text.t('inviteTitle')}</h2>
      <p class="muted">{text.t('inviteLead')}</p>
      {keys.length > 1 && chosen && (
        <Select
          id="own-sharing-key"
          label={text.t('contactsOwnWhich')}
          value={chosen.ref}
          options={keys.map(({ ref, label }) => ({ value: ref, label }))}
          onChange={onChoose}
        />
      )}
      <Invite place="invite" own={chosen} onMade={onMade} />
      {chosen && (
        <details class="hint">
          <summary>{text.t('contactsOwnTitle')}</summary>
          <p
            class="public-key-text"
            dir="ltr"
            id="own-public-key-text"
            role="group"
            aria-labelledby="own-public-key-title"
            tabIndex={0}
          >
            {chosen.publicKey}
          </p>
          <CopyButton value={chosen.publicKey} label={text.t('contactsOwnCopy')} />
        </details>
      )}
      {chosen && <DropPage publicKey={chosen.publicKey} />}
      {chosen && <ForAge publicKey={chosen.publicKey} />}
    </section>
  );
}

/** Saves the page for people without the extension, with the key written into it. */
function DropPage({ publicKey }: { readonly publicKey: string }) {
  const { text, ownFile } = useEnvironment();
  const action = useAction();
  const save = () =>
    action.run(async () => {
      const page = new TextDecoder().decode(await ownFile(PACKED_PAGE));
      download(PAGE_NAME, new Blob([withKey(page, publicKey)], { type: 'text/html' }));
    });
  return (
    <div class="stack">
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button
          id="save-drop-page"
          variant="quiet"
          busy={action.busy}
          icon={<Download size={16} aria-hidden="true" />}
          onClick={save}
        >
          {text.t('dropPageSave')}
        </Button>
      </div>
      <p class="hint">{text.t('dropPageHint')}</p>
    </div>
  );
}

/** The same key as age has it. Keys of X25519 alone, which were made elsewhere, have no such form. */
function ForAge({ publicKey }: { readonly publicKey: string }) {
  const text = useText();
  const { type, bytes } = parsePublicKey(publicKey);
  if (type !== 'X-Wing') return null;
  const recipient = hybridRecipient(bytes);
  return (
    <Advanced id="advanced-own-key">
      <h3 id="own-age-title">{text.t('ageOwnTitle')}</h3>
      <p class="hint">{text.t('ageOwnHint')}</p>
      <p
        class="public-key-text"
        dir="ltr"
        id="own-age-recipient"
        role="group"
        aria-labelledby="own-age-title"
        tabIndex={0}
      >
        {recipient}
      </p>
      <div class="actions">
        <CopyButton value={recipient} label={text.t('ageOwnCopy')} />
      </div>
    </Advanced>
  );
}

interface InviteProps {
  /** Begins the ids of the elements. */
  readonly place: string;
  readonly own: SharingKey | undefined;
  readonly onMade: () => Promise<void>;
}

/** The user's name for others, and the two forms of an invitation. It makes the key if there is none. */
export function Invite({ place, own, onMade }: InviteProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const [typed, setTyped] = useDraft('own-name');
  const [isCopied, setCopied] = useState(false);
  const name = plainName(typed);
  const invitation = async () => {
    const publicKey = own?.publicKey ?? (await madeKey(ui, text)).publicKey;
    return invitationText({ name, publicKey }, text.t('inviteText'));
  };
  const save = () =>
    action.run(async () => {
      const card = new Blob([await invitation()], { type: 'text/plain' });
      if (!own) await onMade(); // The card of the key grows first.
      download(`${safeFileName(name) || 'sealwright'}.contact.txt`, card);
    });
  const copy = () =>
    action.run(async () => {
      await navigator.clipboard.writeText(await invitation());
      if (!own) await onMade();
      setCopied(true);
      toast(text.t('copied'));
    });
  return (
    <>
      <TextField
        id={`${place}-name`}
        label={text.t('inviteName')}
        maxLength={MAX_LABEL_CHARACTERS}
        value={typed}
        onInput={setTyped}
      />
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button
          id={`${place}-save`}
          busy={action.busy}
          icon={<Download size={16} aria-hidden="true" />}
          onClick={save}
        >
          {text.t('inviteSave')}
        </Button>
        <Button
          id={`${place}-copy`}
          busy={action.busy}
          icon={<Copy size={16} aria-hidden="true" />}
          onClick={copy}
        >
          {isCopied ? text.t('copied') : text.t('inviteCopy')}
        </Button>
      </div>
    </>
  );
}

/** Makes the key with which others seal for the user. */
export async function madeKey(ui: UiClient, text: Text): Promise<SharingKey> {
  await ui.call('ui.createKey', { kind: 'sharing', label: text.t('contactsOwnLabel') });
  const [own] = await ui.call('ui.ownSharingKeys', {});
  return own!;
}
