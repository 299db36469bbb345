import { Pencil, PencilLine } from 'lucide-preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { isWebArmor, webArmorDamage, type ArmorDamage } from '../../src/format/wire/web-armor.ts';
import type { OpenedField } from '../../src/rpc/methods/ui-fields.ts';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { CopyButton } from '../ui/components/copy-button.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { useText } from '../ui/environment/environment.ts';
import type { ArmedWindow } from '../ui/hooks/use-arming.ts';
import { errorCode, errorWords, neededGroup, wantsPassphrase } from '../ui/text/error-words.ts';
import type { MessageKey, Text } from '../ui/text/i18n.ts';
import { keyName } from '../ui/text/key-facts.ts';
import { shortOrigin } from '../ui/text/origin.ts';
import { visibleText, utf8Text } from '../ui/text/plain-text.ts';
import { NeededGroupBanner } from '../views/needed-group.tsx';
import { OpenedByWords, SenderBanner } from '../views/sender-banner.tsx';
import { AskWords } from './ask-words.tsx';
import { sealedTextsIn, useOpenings, type Opening } from './use-openings.ts';

const FAILURES: Readonly<Record<string, MessageKey>> = {
  NEEDS_KEY: 'readerNeedsKey',
  AUTH_FAILED: 'readerFailed',
  UNSUPPORTED: 'readerOther',
  BAD_ENVELOPE: 'readerBroken',
  TOO_LARGE: 'openFileTooCostly',
};

/**
 * A sealed text can be in another one: a form gave the first back, and its user wrote more. It is opened as well, to this
 * depth, because a sender can put any number into each other.
 */
const INNER_DEPTH_MAX = 3;

interface OpenedTextsProps {
  /** The sealed texts, as UTF-8; the same array at each rendering. */
  readonly texts: readonly Uint8Array[];
  /** Whether the user asked for these texts by a press already. */
  readonly isPressed?: boolean;
  /** Whether a press may copy or edit a text yet. */
  readonly arming: ArmedWindow;
  /** Absent where the sealed text has no field that an edited one could be put into. */
  readonly onEdit?: ((opened: OpenedField) => void) | undefined;
  /** Shows the text in the editor of its field. Absent where the field has no editor. */
  readonly onShow?: ((sealed: Uint8Array) => void) | undefined;
  /** In how many opened texts these were found. */
  readonly depth?: number;
  /** Called once the first texts have come: they move what is below them. */
  readonly onSettled?: () => void;
}

/** Opens sealed texts, the first ones by itself and more at a press, as items of a list. */
export function OpenedTexts({ texts, isPressed = false, onSettled, ...acts }: OpenedTextsProps) {
  const text = useText();
  const { asked, rest, isSettled, more } = useOpenings(texts, isPressed);
  useLayoutEffect(() => {
    if (isSettled) onSettled?.();
  }, [isSettled]);
  return (
    <>
      {asked.map((opening, place) => (
        <OpenedText key={place} sealed={texts[place]!} opening={opening} {...acts} />
      ))}
      {rest > 0 && (
        <li>
          <Button class="open-more" onClick={more}>
            {text.t('readerMore', rest)}
          </Button>
        </li>
      )}
    </>
  );
}

type Acts = Pick<OpenedTextsProps, 'arming' | 'onEdit' | 'onShow' | 'depth'>;

interface OpenedTextProps extends Acts {
  readonly sealed: Uint8Array;
  readonly opening: Opening;
}

/** One text, or why it cannot be opened. */
function OpenedText({ sealed, opening: { opened, error }, ...acts }: OpenedTextProps) {
  const text = useText();
  const [byWords, setByWords] = useState<OpenedField>();
  if (opened) return <Plain sealed={sealed} opened={opened} {...acts} />;
  if (byWords) {
    // It was not sealed for the page: it is neither edited nor shown there.
    const { onEdit: _edit, onShow: _show, ...others } = acts;
    return <Plain sealed={sealed} opened={byWords} {...others} />;
  }
  if (error === undefined) {
    return (
      <li>
        <Loading />
      </li>
    );
  }
  if (wantsPassphrase(error)) {
    return <AskWords sealed={sealed} onOpened={setByWords} />;
  }
  const group = neededGroup(error);
  return (
    <li class="not-opened">
      {group ? (
        <NeededGroupBanner group={group} tone="info" />
      ) : (
        <Banner tone="info">
          <p>{failureWords(error, sealed, text)}</p>
        </Banner>
      )}
    </li>
  );
}

/** What a damaged text lacks is public, and says what the user can do. */
const DAMAGES: Readonly<Record<ArmorDamage, MessageKey>> = {
  cut: 'readerCut',
  missing: 'readerAltered',
  altered: 'readerAltered',
};

function failureWords(error: unknown, sealed: Uint8Array, text: Text): string {
  const code = errorCode(error);
  const damage = code === 'BAD_ENVELOPE' ? damageOf(utf8Text(sealed) ?? '') : undefined;
  if (damage) return text.t(DAMAGES[damage]);
  return Object.hasOwn(FAILURES, code) ? text.t(FAILURES[code]!) : errorWords(error, text);
}

/** Of "sw1." it cannot be known. */
function damageOf(sealed: string): ArmorDamage | undefined {
  return isWebArmor(sealed) ? webArmorDamage(sealed.replaceAll('\n', '')) : undefined;
}

interface PlainProps extends Acts {
  readonly sealed: Uint8Array;
  readonly opened: OpenedField;
}

/** Shows the opened text as a single text node, with invisible characters as their codes. */
function Plain({ sealed, opened, arming, onEdit, onShow, depth = 0 }: PlainProps) {
  const text = useText();
  const plain = utf8Text(opened.text);
  const inner = useMemo(
    () => (plain === undefined || depth >= INNER_DEPTH_MAX ? [] : sealedTextsIn(plain)),
    [plain, depth],
  );
  const shown = plain === undefined ? text.t('readerNotText') : visibleText(plain);
  const hidesSome = plain !== undefined && shown !== plain.replaceAll('\r\n', '\n');
  return (
    <li class="card stack">
      <pre class="opened" dir="auto" tabIndex={0}>
        {shown}
      </pre>
      {hidesSome && <p class="hint">{text.t('readerHidden')}</p>}
      <Provenance opened={opened} />
      {plain !== undefined && (
        <div class="actions">
          <CopyButton value={plain} label={text.t('copyText')} mayAct={arming.mayAct} />
          {onShow && (
            <Button
              id="show-in-field"
              variant="primary"
              icon={<PencilLine size={16} aria-hidden="true" />}
              unavailable={!arming.armed}
              onClick={(event) => arming.mayAct(event) && onShow(sealed)}
            >
              {text.t('readerShow')}
            </Button>
          )}
          {onEdit && (
            <Button
              id="edit"
              variant="quiet"
              icon={<Pencil size={16} aria-hidden="true" />}
              unavailable={!arming.armed}
              onClick={(event) => arming.mayAct(event) && onEdit(opened)}
            >
              {text.t('readerEdit')}
            </Button>
          )}
        </div>
      )}
      {inner.length > 0 && (
        <>
          <p class="hint">{text.t('readerInner')}</p>
          <ul class="stack">
            <OpenedTexts texts={inner} arming={arming} depth={depth + 1} />
          </ul>
        </>
      )}
    </li>
  );
}

function Provenance({ opened }: { readonly opened: OpenedField }) {
  const text = useText();
  const { key, origin, shared, sender, signed } = opened;
  if (key === null) return <OpenedByWords />;
  const name = keyName(key, text);
  if (shared) {
    const proof = signed && { ...signed, fileName: 'message.proof', hasText: true };
    return <SenderBanner sender={sender} signed={proof} keyName={name} />;
  }
  return (
    <p class="muted provenance">
      {origin === null
        ? text.t('readerKey', name)
        : text.t('readerKeyAndSite', name, shortOrigin(origin))}
    </p>
  );
}
