import { expect, it } from "vitest";
import { ApiError, describeFailure, NotDoneError } from "./errors.ts";

function refusal(error: string, ...details: string[]): ApiError {
  return new ApiError(409, {
    error,
    code: "USERNAME_TAKEN",
    details: details.map((message) => ({ field: "username", message })),
  });
}

it("a field's sentence follows the server's, unless that contains it already", () => {
  const taken = refusal("This username is in use. Choose another one.", "This username is in use.");
  expect(describeFailure(taken, "Failed.")).toEqual({
    message: "This username is in use. Choose another one.",
    advice: null,
  });
  const several = refusal("Codes are taken.", "A1 is taken.", "A2 is taken.");
  expect(describeFailure(several, "Failed.")).toEqual({
    message: "Codes are taken.",
    advice: "A1 is taken. A2 is taken.",
  });
});

it("what was not done on this side is said beside the page's own message", () => {
  const givenUp = new NotDoneError("No passkey was used. Try again, or choose another way.");
  expect(describeFailure(givenUp, "Login failed")).toEqual({
    message: "Login failed",
    advice: "No passkey was used. Try again, or choose another way.",
  });
});
