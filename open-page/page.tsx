/*
 * Entry: the page open.html, in one script, and the worker that it makes of that script's text. It sends nothing, stores
 * nothing, and asks for nothing.
 */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import argon2Module from 'wasm:argon2';
import packedMessages from 'packed:messages';
import packedWords from 'packed:words';
import { fastestArgon2id } from '../src/engine/fastest-argon2id.ts';
import { keyIn, withKey } from '../src/release/drop-page.ts';
import type { Messages } from '../extension/platform/windows/chosen-words.ts';
import { Announcer } from '../extension/ui/components/announcer.tsx';
import { TextProvider } from '../extension/ui/environment/environment.ts';
import { folderOf, type ChosenLanguage } from '../extension/ui/environment/preferences.ts';
import { applyLanguage, formattingLanguage, Text } from '../extension/ui/text/i18n.ts';
import { messageReader } from '../extension/ui/text/message-reader.ts';
import { derivingInWorkers, serveDerivation, workersOf, type WorkerScope } from './derivation.ts';
import { inflate } from './inflate.ts';
import { PageTextProvider, type PageKey } from './page-text.ts';
import { listOf } from './word-list.ts';
import { OpenPage, type Obstacle, type OpenPageProps } from './views/open-page.tsx';

type AllMessages = Readonly<Record<ChosenLanguage, Messages>>;

const argon2id = fastestArgon2id(() => inflate(argon2Module));

if (typeof document === 'object') void start();
else serveDerivation(globalThis as unknown as WorkerScope, argon2id);

/** What the page's own state does not change. */
type Fixed = Pick<OpenPageProps, 'obstacle' | 'derive' | 'wordList' | 'dropPage'> & {
  readonly messages: AllMessages;
  readonly written: string;
};

async function start(): Promise<void> {
  // As it was parsed, before anything is drawn: copies of the page are made of it.
  const page = `<!DOCTYPE html>${document.documentElement.outerHTML}`;
  const script = document.currentScript!.textContent;
  const [messages, words] = await Promise.all([
    unpacked<AllMessages>(packedMessages),
    unpacked<string>(packedWords),
  ]);
  const fixed: Fixed = {
    obstacle: obstacleHere(),
    derive: derivingInWorkers(workersOf(script), argon2id),
    dropPage: (publicKey) => withKey(page, publicKey),
    written: keyIn(page) ?? '',
    wordList: listOf(words),
    messages,
  };
  render(<Page {...fixed} />, document.getElementById('app')!);
}

async function unpacked<T>(packed: string): Promise<T> {
  return JSON.parse(new TextDecoder().decode(await inflate(packed))) as T;
}

/** A page around this one could lie over it; and without a secure context there is no WebCrypto. */
function obstacleHere(): Obstacle | undefined {
  if (window.top !== window) return 'pageFramed';
  return isSecureContext ? undefined : 'pageInsecure';
}

/** The key in the address, after "#": servers never see it. */
const keyInAddress = (): string => location.hash.slice(1);

function Page({ messages, written, ...fixed }: Fixed) {
  const [language, setLanguage] = useState(() => folderOf(navigator.languages));
  const [inAddress, setInAddress] = useState(keyInAddress);
  useEffect(() => {
    const take = () => setInAddress(keyInAddress());
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  const getMessage = messageReader(messages[language]);
  const formatting = formattingLanguage(getMessage('localeTag', []), navigator.language);
  const text = new Text<PageKey>(getMessage, formatting);
  useEffect(() => applyLanguage(document.documentElement, text.language), [text.language]);
  return (
    <TextProvider value={text}>
      <PageTextProvider value={text}>
        <Announcer>
          <OpenPage
            {...fixed}
            publicKey={written || inAddress}
            isWritten={written !== ''}
            onPublicKey={(publicKey) => location.assign(`#${publicKey}`)}
            language={language}
            onLanguage={setLanguage}
          />
        </Announcer>
      </PageTextProvider>
    </TextProvider>
  );
}
