/** Where the database layer logs; a pino logger fits. */
export interface DatabaseLogger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
