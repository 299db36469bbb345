import { useText } from '../../ui/environment/environment.ts';
import { useWordList } from '../forms/words.tsx';
import type { PersonFacts } from './group-changes.ts';

/** A person of a group as a text: the user, a contact's name, or six words of the key. */
export function usePersonName(): (person: PersonFacts) => string {
  const text = useText();
  const { list } = useWordList();
  return ({ isUser, contact, words }) =>
    isUser ? text.t('groupYou') : (contact?.name ?? wordsOf(words, list));
}

/** A person of a group: the user, a contact, or one of whom only the words of the key are known. */
export function PersonName({ person }: { readonly person: PersonFacts }) {
  const text = useText();
  const { isUser, contact, words } = person;
  if (isUser) return <>{text.t('groupYou')}</>;
  return contact ? <bdi>{contact.name}</bdi> : <SixWords words={words} />;
}

/** Six words of a key or an id, by which people recognize it; nothing until the list of words is there. */
export function SixWords({ words }: { readonly words: readonly number[] }) {
  const { list } = useWordList();
  return (
    <bdi dir="ltr" lang="en">
      {wordsOf(words, list)}
    </bdi>
  );
}

const wordsOf = (words: readonly number[], list: readonly string[] | undefined): string =>
  list ? words.map((place) => list[place]).join(' ') : '\u00a0';
