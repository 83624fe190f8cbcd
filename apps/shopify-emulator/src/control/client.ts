import type { CommandInput, CommandName, CommandOutput } from "./protocol.ts";

/** Without an input where the command takes none. */
type Method<Name extends CommandName> =
  Record<string, never> extends CommandInput<Name>
    ? (input?: CommandInput<Name>) => Promise<CommandOutput<Name>>
    : (input: CommandInput<Name>) => Promise<CommandOutput<Name>>;

export type EmulatorControl = { readonly [Name in CommandName]: Method<Name> };

async function send(url: string, name: string, input: unknown): Promise<string> {
  const response = await fetch(`${url}/emulator/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The emulator refused ${name}: ${response.status} ${text}`);
  return text;
}

/** The controls of an emulator that runs at this address; every method rejects with what it refused. */
export function emulatorControl(url: string): EmulatorControl {
  const base = url.replace(/\/+$/, "");
  const command =
    <Name extends CommandName>(name: Name) =>
    async (input?: CommandInput<Name>): Promise<CommandOutput<Name>> => {
      // The emulator's responses are made from the same protocol, so they are not checked again here.
      const output: CommandOutput<Name> = JSON.parse(await send(base, name, input ?? {}));
      return output;
    };
  return {
    stock: command("stock"),
    setStock: command("setStock"),
    sell: command("sell"),
    fulfil: command("fulfil"),
    receive: command("receive"),
    activateLevel: command("activateLevel"),
    deactivateLevel: command("deactivateLevel"),
    movements: command("movements"),
    addProduct: command("addProduct"),
    changeProduct: command("changeProduct"),
    deleteProduct: command("deleteProduct"),
    addVariant: command("addVariant"),
    changeVariant: command("changeVariant"),
    deleteVariant: command("deleteVariant"),
    snapshot: command("snapshot"),
    settings: command("settings"),
    changeSettings: command("changeSettings"),
    addFaults: command("addFaults"),
    faults: command("faults"),
    clearFaults: command("clearFaults"),
    releaseHanging: command("releaseHanging"),
    untilHanging: command("untilHanging"),
    calls: command("calls"),
    clearCalls: command("clearCalls"),
    advanceClock: command("advanceClock"),
    revokeTokens: command("revokeTokens"),
    leavePoints: command("leavePoints"),
    setWebhook: command("setWebhook"),
    deliveries: command("deliveries"),
    reset: command("reset"),
  };
}
