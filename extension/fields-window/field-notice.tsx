import type { FieldVisit } from '../../src/rpc/surface-fields.ts';
import { Banner } from '../ui/components/banner.tsx';
import { useText } from '../ui/environment.ts';

/** Why the sealed text can only be copied, where it is so. */
export function FieldNotice({ visit: { field } }: { readonly visit: FieldVisit }) {
  const text = useText();
  if (field === 'there') return null;
  return (
    <Banner tone="info" id="no-field">
      <p>{text.t(field === 'gone' ? 'pageGone' : 'noField')}</p>
    </Banner>
  );
}
