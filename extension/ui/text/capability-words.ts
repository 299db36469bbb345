import type { MessageKey } from './i18n.ts';

/** The messages for a capability: its name, and what it lets a site do. */
export interface CapabilityWords {
  readonly name: MessageKey;
  readonly detail: MessageKey;
}

const WORDS: Readonly<Record<string, CapabilityWords>> = {
  seal: { name: 'capabilitySeal', detail: 'capabilitySealDetail' },
  open: { name: 'capabilityOpen', detail: 'capabilityOpenDetail' },
  mac: { name: 'capabilityMac', detail: 'capabilityMacDetail' },
  blindIndex: { name: 'capabilityBlindIndex', detail: 'capabilityBlindIndexDetail' },
  sync: { name: 'capabilitySync', detail: 'capabilitySyncDetail' },
  sign: { name: 'capabilitySign', detail: 'capabilitySignDetail' },
  publicKey: { name: 'capabilityPublicKey', detail: 'capabilityPublicKeyDetail' },
  signToken: { name: 'capabilitySignToken', detail: 'capabilitySignTokenDetail' },
  openToken: { name: 'capabilityOpenToken', detail: 'capabilityOpenTokenDetail' },
};

/** An unknown capability is shown as unknown, so that it is never granted unnoticed. */
const UNKNOWN: CapabilityWords = {
  name: 'capabilityUnknown',
  detail: 'capabilityUnknownDetail',
};

/** The messages for a capability by its name in the page API. */
export function capabilityWords(capability: string): CapabilityWords {
  return Object.hasOwn(WORDS, capability) ? WORDS[capability]! : UNKNOWN;
}
