import { useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { fromHex } from '../../../src/crypto/bytes.ts';
import { utf8Bytes } from '../../ui/text/plain-text.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import type { Binding } from './file-work.ts';

/** How the context is typed. */
export type ContextKind = 'text' | 'hex';

/** The fields for what a site bound a message to, and the vault does not know. */
export interface BindingFields {
  readonly kind: ContextKind;
  readonly context: string;
  readonly origin: string;
  readonly error: MessageKey | undefined;
  readonly input: RefObject<HTMLInputElement>;
  readonly setKind: (kind: ContextKind) => void;
  readonly setContext: (context: string) => void;
  readonly setOrigin: (origin: string) => void;
  /** For ui.releaseOpen: only what was typed. */
  readonly value: () => Binding;
  /** Shows an error for a context that is not in hexadecimal digits. @returns whether it is good */
  readonly check: () => boolean;
  /** Shows that the background refused the values. @param code of its error */
  readonly refuse: (code: string) => void;
  readonly clear: () => void;
}

const HEX = /^(?:[0-9a-f]{2})*$/i;

/** State of these fields. */
export function useBinding(): BindingFields {
  const [kind, setKindOnly] = useState<ContextKind>('text');
  const [context, setContextOnly] = useState('');
  const [origin, setOriginOnly] = useState('');
  const [error, setError] = useState<MessageKey>();
  const input = useRef<HTMLInputElement>(null);
  const clearing =
    <T>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setError(undefined);
    };
  const digits = context.replace(/\s/g, '');
  const isEmpty = context === '' && origin === '';
  const value = (): Binding => ({
    ...(context !== '' && { context: kind === 'hex' ? fromHex(digits) : utf8Bytes(context) }),
    ...(origin !== '' && { origin: originOf(origin) }),
  });
  const check = () => {
    const isGood = kind === 'text' || HEX.test(digits);
    if (!isGood) setError('contextNotHex');
    return isGood;
  };
  const refuse = (code: string) => {
    if (isEmpty) setError('contextNeeded');
    else setError(code === 'INVALID_ARGUMENT' ? 'contextNoSite' : 'contextWrong');
    input.current?.focus();
  };
  const clear = () => {
    setContextOnly('');
    setOriginOnly('');
    setError(undefined);
  };
  const [setKind, setContext] = [clearing(setKindOnly), clearing(setContextOnly)];
  const setOrigin = clearing(setOriginOnly);
  return {
    kind,
    context,
    origin,
    error,
    input,
    setKind,
    setContext,
    setOrigin,
    value,
    check,
    refuse,
    clear,
  };
}

/** "https://example.org" for any address of the site, with or without https://. */
function originOf(address: string): string {
  const typed = address.trim();
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  return URL.canParse(url) ? new URL(url).origin : typed;
}
