import type { FunctionComponent } from 'preact';
import { useText } from '../../ui/environment/environment.ts';
import { View } from '../../ui/components/view.tsx';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { OpenScene, SealScene, SiteScene } from './scenes.tsx';

interface Part {
  readonly title: MessageKey;
  readonly words: MessageKey;
  /** The button of the popup that the words name. */
  readonly button: MessageKey;
  readonly Scene: FunctionComponent;
}

const PARTS: readonly Part[] = [
  { title: 'guideSealTitle', words: 'guideSeal', button: 'writeSealed', Scene: SealScene },
  { title: 'guideOpenTitle', words: 'guideOpen', button: 'openSealed', Scene: OpenScene },
  { title: 'guideSiteTitle', words: 'guideSite', button: 'enableSite', Scene: SiteScene },
];

/** How to use Sealwright on sites: what the toolbar's button leads to. */
export function GuideView() {
  const text = useText();
  return (
    <View title={text.t('guideTitle')}>
      <ul class="guide" id="guide">
        {PARTS.map(({ title, words, button, Scene }) => (
          <li key={title} class="card guide-part">
            <Scene />
            <div>
              <h2>{text.t(title)}</h2>
              <p>{text.t(words, text.t(button).replace(/[\s…]+$/, ''))}</p>
            </div>
          </li>
        ))}
      </ul>
    </View>
  );
}
