import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useEnvironment } from '../environment/environment.ts';
import type { MessageKey } from '../text/i18n.ts';
import { SYMBOLS, type Picture } from '../picture/picture.ts';
import { PictureSeal } from '../picture/picture-seal.tsx';

interface WithPictureProps {
  /** The text below the names of the symbols. */
  readonly caption: MessageKey;
  /** The first run shows it larger. */
  readonly isHero?: boolean;
  /** What stands below the picture, or beside it: it appears with it, as the names of the symbols may need a second line. */
  readonly children?: ComponentChildren;
}

/** What is about this installation, with the large picture and the names of its symbols. */
export function WithPicture({ caption, isHero = false, children }: WithPictureProps) {
  const { text } = useEnvironment();
  const picture = usePicture();
  return (
    <>
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
      {picture !== undefined && children}
    </>
  );
}

/** A small version without text, for the header of a page and beside the field for the vault's passphrase. */
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

/** @returns undefined until it is read, null where it cannot be */
function usePicture(): Picture | null | undefined {
  const { picture } = useEnvironment();
  const [shown, setShown] = useState<Picture | null>();
  useEffect(() => {
    let wanted = true;
    const show = (own: Picture | null): void => {
      if (wanted) setShown(own);
    };
    void picture().then(show, () => show(null));
    return () => {
      wanted = false;
    };
  }, [picture]);
  return shown;
}
