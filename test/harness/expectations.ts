/** A response, from any client. */
type Answered = { status: number; body: unknown };

const STATUS_TEXT: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** Exactly `{error, message, code}`, plus the error id with 5xx. */
export function expectFormA(response: Answered, status: number, message: RegExp | string = /./): void {
  expect({ status: response.status, body: response.body }).toEqual({
    status,
    body: {
      error: STATUS_TEXT[status],
      message: expect.stringMatching(message) as unknown,
      code: status,
      ...(status >= 500 ? { errorId: expect.any(String) as unknown } : {}),
    },
  });
}

/** Exactly `{success: false, error: {code, message}}`, and `details` with the invalid fields if some are named. */
export function expectFormB(response: Answered, status: number, code: string, ...fields: string[]): void {
  expect({ status: response.status, body: response.body }).toEqual({
    status,
    body: {
      success: false,
      error: {
        code,
        message: expect.stringMatching(/./) as unknown,
        ...(fields.length > 0
          ? { details: fields.map((field) => ({ field, message: expect.stringMatching(/./) as unknown })) }
          : {}),
      },
    },
  });
}

/** Checks the rows of a table one after the other. @throws the error of the first that fails, which then names the row */
export async function inEachRow<Row>(rows: readonly Row[], check: (row: Row) => Promise<void>): Promise<void> {
  for (const row of rows) {
    try {
      await check(row);
    } catch (error) {
      if (error instanceof Error) error.message = `${JSON.stringify(row).slice(0, 200)}\n${error.message}`;
      throw error;
    }
  }
}
