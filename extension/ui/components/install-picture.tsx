import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { useEnvironment } from '../environment/environment.ts';
import type { MessageKey } from '../text/i18n.ts';
import { SYMBOLS, type Picture } from '../picture/picture.ts';
import { PictureSeal } from '../picture/picture-seal.tsx';

/** Whether the form has the large picture already. */
const Pictured = createContext(false);

interface WithPictureProps {
  /** The text below the names of the symbols. */
  readonly caption: MessageKey;
  /** The first run shows it larger. */
  readonly isHero?: boolean;
  /** The fields of the form. */
  readonly children: ComponentChildren;
}

/**
 * A form with the large picture and the names of its symbols, for the first run and for unlocking. Its
 * fields for a passphrase do without the small picture.
 */
export function WithPicture({ caption, isHero = false, children }: WithPictureProps) {
  const { text } = useEnvironment();
  const picture = usePicture();
  return (
    <Pictured.Provider value={true}>
      <figure class={`install-picture${isHero ? ' hero' : ''}`} id="install-picture">
        <div class="picture-place">
          {picture && <PictureSeal picture={picture} size={isHero ? 144 : 72} />}
        </div>
        <figcaption>
          <span class="hint">{text.t(isHero ? 'pictureYours' : 'pictureTitle')}</span>
          <strong class="picture-words">{picture && wordsOf(picture, text.t.bind(text))}</strong>
          <span class="hint">{text.t(caption)}</span>
        </figcaption>
      </figure>
      {children}
    </Pictured.Provider>
  );
}

/** The picture beside a field for a passphrase; nothing in a form that has the large one. */
export function FieldPicture() {
  return useContext(Pictured) ? null : <SmallPicture />;
}

/** A small version without text, for the header of a page and beside single fields. */
export function SmallPicture() {
  const { text } = useEnvironment();
  const picture = usePicture();
  if (!picture) return <span class="small-picture" aria-hidden="true" />;
  const label = `${text.t('pictureTitle')}: ${wordsOf(picture, text.t.bind(text))}`;
  return (
    <span class="small-picture" role="img" aria-label={label} title={label}>
      <PictureSeal picture={picture} size={40} />
    </span>
  );
}

const wordsOf = ({ symbols }: Picture, say: (key: MessageKey) => string): string =>
  symbols.map((symbol) => say(SYMBOLS[symbol])).join(' · ');

function usePicture(): Picture | undefined {
  const { picture } = useEnvironment();
  const [shown, setShown] = useState<Picture>();
  useEffect(() => {
    let wanted = true;
    void picture().then((own) => wanted && setShown(own));
    return () => {
      wanted = false;
    };
  }, [picture]);
  return shown;
}
