import { useEffect, useState } from 'preact/hooks';
import { useEnvironment } from '../environment/environment.ts';
import type { MessageKey } from '../text/i18n.ts';
import { SYMBOLS, type Picture } from './picture.ts';
import { PictureSeal } from './picture-seal.tsx';

interface InstallPictureProps {
  /** What is said of it here. */
  readonly says: MessageKey;
}

/** The picture that no web page can show, with its words: beside every question for a passphrase. */
export function InstallPicture({ says }: InstallPictureProps) {
  const { text } = useEnvironment();
  const picture = usePicture();
  return (
    <figure class="install-picture" id="install-picture">
      <div class="picture-place">{picture && <PictureSeal picture={picture} size={72} />}</div>
      <figcaption>
        <span class="hint">{text.t('pictureTitle')}</span>
        <strong class="picture-words">{picture && wordsOf(picture, text.t.bind(text))}</strong>
        <span class="hint">{text.t(says)}</span>
      </figcaption>
    </figure>
  );
}

/** The same where there is little room: in the head of a window. */
export function SmallPicture() {
  const { text } = useEnvironment();
  const picture = usePicture();
  if (!picture) return null;
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
