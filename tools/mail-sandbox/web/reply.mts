export interface Reply {
  status: number;
  type?: string;
  headers?: Record<string, string>;
  body: string | Buffer;
}

/** A request that cannot be processed, with a message for the caller. */
export class RequestError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const json = (value: unknown, status = 200): Reply => ({
  status,
  type: 'application/json; charset=utf-8',
  body: `${JSON.stringify(value)}\n`,
});
