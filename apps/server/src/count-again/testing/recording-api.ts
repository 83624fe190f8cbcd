import type * as contract from "@stocktake/contract";
import { type Answered, type Given, TestApi } from "../../testing/test-api.ts";

/** The product's calls, with every byte that comes back kept, and which calls they were. */
export class RecordingApi extends TestApi {
  readonly answers: string[] = [];
  readonly made = new Set<contract.CallDefinition>();

  override send<const Definition extends contract.CallDefinition>(
    definition: Definition,
    given: Given<Definition>,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    this.made.add(definition);
    return super.send(definition, given, headers);
  }

  protected override async read(response: Response): Promise<string> {
    const text = await super.read(response);
    // How long the text is may be any number, and says nothing that the text does not.
    const headers = [...response.headers].filter(([name]) => name !== "content-length");
    this.answers.push(headers.join("\n"), text);
    return text;
  }
}
