import type { NewPasskey, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from "@stocktake/contract";
import { NotDoneError } from "../../http/errors.ts";

/** The browser did not make or use a passkey: the person gave up, there is none, or it took too long. */
function noPasskey(cause: unknown): NotDoneError {
  return new NotDoneError("No passkey was used. Try again, or choose another way.", { cause });
}

// Few people have a passkey: what speaks with them is loaded when it is first used.
const loadBrowserSide = () => import("@simplewebauthn/browser");

export async function answerWithPasskey(request: PasskeyRequest): Promise<PasskeyAnswer> {
  const { startAuthentication } = await loadBrowserSide();
  try {
    const { id, type, response } = await startAuthentication({ optionsJSON: request });
    const { clientDataJSON, authenticatorData, signature } = response;
    return { id, type, response: { clientDataJSON, authenticatorData, signature } };
  } catch (error) {
    throw noPasskey(error);
  }
}

export async function makePasskey(creation: PasskeyCreation): Promise<NewPasskey> {
  const { startRegistration } = await loadBrowserSide();
  try {
    const { id, type, response } = await startRegistration({ optionsJSON: creation });
    const { clientDataJSON, attestationObject, transports = [] } = response;
    return { id, type, response: { clientDataJSON, attestationObject, transports } };
  } catch (error) {
    throw noPasskey(error);
  }
}

/** Whether this browser can use passkeys at this address. */
export function canUsePasskeys(): boolean {
  return globalThis.isSecureContext && "PublicKeyCredential" in globalThis;
}
