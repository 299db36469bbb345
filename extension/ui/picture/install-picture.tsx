import { useEffect, useState } from 'preact/hooks';
import { useEnvironment } from '../environment/environment.ts';
import type { MessageKey } from '../text/i18n.ts';
import { SYMBOLS, type Picture } from './picture.ts';
import { PictureSeal } from './picture-seal.tsx';

interface InstallPictureProps {
  /** The text below the picture. */
  readonly caption: MessageKey;
}

/**
 * The installation's picture with the names of its symbols. Shown wherever a passphrase is asked
 * for.
 */
export function InstallPicture({ caption }: InstallPictureProps) {
  const { text } = useEnvironment();
  const picture = usePicture();
  return (
    <figure class="install-picture" id="install-picture">
      <div class="picture-place">{picture && <PictureSeal picture={picture} size={72} />}</div>
      <figcaption>
        <span class="hint">{text.t('pictureTitle')}</span>
        <strong class="picture-words">{picture && wordsOf(picture, text.t.bind(text))}</strong>
        <span class="hint">{text.t(caption)}</span>
      </figcaption>
    </figure>
  );
}

/** A small version without text, for the header of a window and beside single fields. */
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
