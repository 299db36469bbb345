import { useText } from '../environment/environment.ts';
import { splitOrigin } from '../text/origin.ts';

interface OriginNameProps {
  readonly origin: string;
  readonly id?: string;
}

/**
 * An origin in full: in ASCII, with the registered end of the host in bold, and a note if the host is
 * internationalised.
 */
export function OriginName({ origin, id }: OriginNameProps) {
  const text = useText();
  const { scheme, host, registered, port, punycode } = splitOrigin(origin);
  return (
    <div class="origin">
      <p class="origin-name" id={id} dir="ltr">
        <span class="origin-rest">{scheme}</span>
        {host.slice(0, host.length - registered.length)}
        <strong>{registered}</strong>
        <span class="origin-rest">{port}</span>
      </p>
      {punycode && <p class="hint">{text.t('punycodeNote')}</p>}
    </div>
  );
}
