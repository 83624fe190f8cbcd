import { expect, test } from "vitest";
import { invitationMail } from "./invitation-mail.ts";

const facts = {
  to: "ada@example.com",
  counterName: "Ada",
  storeName: "High Street",
  link: "https://count.example.com/counter/invite/abc-DEF_1",
};

test("text and HTML both greet by name, name the store and hold the link", () => {
  const { to, subject, text, html, link } = invitationMail(facts);
  expect({ to, subject, link }).toEqual({
    to: "ada@example.com",
    subject: "Your counting link for High Street",
    link: facts.link,
  });
  for (const words of [text, html]) {
    expect(words).toContain("Hello Ada,");
    expect(words).toContain("High Street");
    expect(words).toContain(facts.link);
  }
});

test("names can't put markup into the HTML nor lines into the subject", () => {
  const { subject, html } = invitationMail({
    ...facts,
    counterName: `<img src="x" onerror='steal()'>`,
    storeName: "High\r\nBcc: thief@example.com\nStreet & Sons",
  });
  expect(subject).toBe("Your counting link for High Bcc: thief@example.com Street & Sons");
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img src=&quot;x&quot; onerror=&#39;steal()&#39;&gt;");
  expect(html).toContain("Street &amp; Sons");
});
