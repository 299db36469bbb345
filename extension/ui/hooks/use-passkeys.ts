import { useEffect, useState } from 'preact/hooks';
import { useEnvironment, type PasskeyAccess } from '../environment/environment.ts';

/** What passkeys this page can ask for; undefined until the browser has said. */
export function usePasskeys(): PasskeyAccess | undefined {
  const { passkeys } = useEnvironment();
  const [access, setAccess] = useState<PasskeyAccess>();
  useEffect(() => {
    let wanted = true;
    void passkeys().then((answer) => wanted && setAccess(answer));
    return () => {
      wanted = false;
    };
  }, [passkeys]);
  return access;
}
