/** A mail with a link that is its point. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as `text`, for mail programs that show HTML. */
  readonly html: string;
  readonly link: string;
}

/** How mails leave. `kind` is which happened, so that no page pretends. */
export interface Mailer {
  readonly kind: "smtp" | "outbox";
  /**
   * Resolves when the mail server took the mail; for the outbox there is nothing to send, its row is the delivery.
   * @throws ApiError MAIL_FAILED when the mail server refused or did not respond in time.
   */
  send(mail: Mail): Promise<void>;
  /** Whether the mail server responds; true for the outbox. */
  check(): Promise<boolean>;
}
