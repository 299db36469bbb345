import { publicKeyText } from '../../../../src/format/wire/public-key.ts';
import type { ParamsOf, ResultOf } from '../../../../src/rpc/methods/methods.ts';
import { SealwrightError } from '../../../../src/rpc/errors.ts';
import type { OwnSharingKey, UiContact } from '../../../../src/rpc/methods/ui-contacts.ts';
import { verificationOf } from '../../../../src/service/sharing/verification.ts';

/** The contacts of a fake background. */
export interface ContactsWorld {
  contacts: UiContact[];
  ownSharingKeys: OwnSharingKey[];
}

const NOW = Date.now();

function keyOf(fill: number) {
  const bytes = new Uint8Array(1216).fill(fill);
  const { digest, words, digits } = verificationOf(2, bytes);
  const publicKey = publicKeyText({ type: 'X-Wing', bytes });
  return { publicKey, digest, words: [...words], digits: [...digits] };
}

function contact(id: string, name: string, fill: number, verified: number | null): UiContact {
  return { id, name, created: NOW, verified, ...keyOf(fill) };
}

/** Two contacts and a sharing key of the user. */
export function contactsWorld(): ContactsWorld {
  return {
    contacts: [
      contact('c1', 'Amira Haddad', 1, NOW - 3 * 86_400_000),
      contact('c2', 'Jörg-Öznur Wolfeschlegelsteinhausen', 2, null),
    ],
    ownSharingKeys: [{ ref: 's1', label: 'Messages to me', ...keyOf(3) }],
  };
}

type ContactMethods =
  'ui.contacts' | 'ui.ownSharingKeys' | 'ui.addContact' | 'ui.changeContact' | 'ui.removeContact';

/** The contact methods over a fake background. */
export function contactsImplementations(world: ContactsWorld): {
  [M in ContactMethods]: (params: ParamsOf<M>) => ResultOf<M>;
} {
  return {
    'ui.contacts': () => world.contacts,
    'ui.ownSharingKeys': () => world.ownSharingKeys,
    'ui.addContact': ({ name, publicKey }) => {
      if (!publicKey.startsWith('swp1.')) throw new SealwrightError('INVALID_ARGUMENT', 'wrong');
      const added = { ...contact(`c${world.contacts.length + 1}`, name, 4, null), publicKey };
      world.contacts = [...world.contacts, added];
      return added;
    },
    'ui.changeContact': ({ id, name, verified }) => {
      world.contacts = world.contacts.map((one) =>
        one.id === id
          ? {
              ...one,
              ...(name !== undefined && { name }),
              ...(verified !== undefined && { verified: verified ? NOW : null }),
            }
          : one,
      );
      return {};
    },
    'ui.removeContact': ({ id }) => {
      world.contacts = world.contacts.filter((one) => one.id !== id);
      return {};
    },
  };
}
