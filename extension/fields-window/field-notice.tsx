import type { FieldVisit } from '../../src/rpc/methods/ui-fields.ts';
import { Banner } from '../ui/components/banner.tsx';
import { useText } from '../ui/environment/environment.ts';
import { FramePermission } from './compose/frame-permission.tsx';

interface FieldNoticeProps {
  readonly visit: FieldVisit;
  readonly onReached: (visit: FieldVisit) => void;
}

/** Why the sealed text can only be copied, where it is so; and what can be done about it. */
export function FieldNotice({ visit: { field, beyond }, onReached }: FieldNoticeProps) {
  const text = useText();
  if (field === 'there') return null;
  if (beyond !== null) return <FramePermission frame={beyond} onReached={onReached} />;
  return (
    <Banner tone="info" id="no-field">
      <p>{text.t(field === 'gone' ? 'pageGone' : 'noField')}</p>
    </Banner>
  );
}
