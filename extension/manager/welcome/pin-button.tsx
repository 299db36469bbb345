import { ArrowRight, Pin, Puzzle, Settings } from 'lucide-preact';
import { useText } from '../../ui/environment/environment.ts';
import { Mark } from '../../ui/picture/mark.tsx';

/** How to keep the toolbar button in sight, which both browsers hide behind a puzzle piece at first. */
export function PinButton() {
  const text = useText();
  const isFirefox = navigator.userAgent.includes('Firefox/');
  const Last = isFirefox ? Settings : Pin;
  return (
    <section class="pin-button" aria-labelledby="pin-title">
      <div class="pin-scene" aria-hidden="true">
        <span class="pin-place">
          <Puzzle size={20} />
        </span>
        <ArrowRight size={16} class="mirror" />
        <span class="pin-row">
          <Mark size={20} />
          <span>{text.t('extName')}</span>
          <Last size={18} />
        </span>
      </div>
      <div>
        <h2 id="pin-title">{text.t('pinTitle')}</h2>
        <p class="muted">{text.t(isFirefox ? 'pinFirefox' : 'pinChromium')}</p>
      </div>
    </section>
  );
}
