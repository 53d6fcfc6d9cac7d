import { type OpenAPIObject } from '@nestjs/swagger';
import { type Response } from 'supertest';
import { createOpenApiDocument } from '../../apps/api/src/http';
import { CONTRACT, type Endpoint } from './contract';
import { seeded, type Subjects } from './subjects';
import { type RequestPlan, ContractFixture, type Subject } from './contract-fixture';

/** A success, in its envelope. */
export interface Envelope {
  success: unknown;
  data: unknown;
  pagination: Record<string, unknown>;
}

interface FormB {
  error: { code: string; message: string; details?: { field: string }[] };
}

/** Requests every endpoint of the contract in all its states; tests send further requests. */
export class ContractRun {
  readonly #answers = new Map<string, Response[]>();
  #fixture: ContractFixture | undefined;
  #openApi: OpenAPIObject | undefined;
  #subjects: Subjects = {};
  #canaries: readonly string[] = [];

  async start(): Promise<void> {
    this.#fixture = await ContractFixture.start();
    ({ subjects: this.#subjects, canaries: this.#canaries } = await seeded(this.#fixture));
    for (const endpoint of CONTRACT.endpoints) {
      const given: Response[] = [];
      for (const subject of this.#subjects[endpoint.endpoint] ?? [])
        given.push(await this.ask(endpoint, await subject()));
      this.#answers.set(endpoint.endpoint, given);
    }
  }

  async close(): Promise<void> {
    await this.#fixture?.close();
  }

  get fixture(): ContractFixture {
    if (!this.#fixture) throw new Error('The run has not started');
    return this.#fixture;
  }

  get openApi(): OpenAPIObject {
    return (this.#openApi ??= createOpenApiDocument(this.fixture.platform.app, 'http://localhost'));
  }

  /** Values that must never be in a response. */
  get canaries(): readonly string[] {
    return this.#canaries;
  }

  get asked(): string[] {
    return [...this.#answers.keys()];
  }

  ask(endpoint: Endpoint, asked: RequestPlan): Promise<Response> {
    return this.fixture.ask(endpoint, asked).then((response) => response);
  }

  /** The first request of the endpoint, with new records. */
  async usual({ endpoint }: Endpoint): Promise<Subject> {
    const [first] = this.#subjects[endpoint] ?? [];
    if (!first) throw new Error(`There is no request for ${endpoint}`);
    return first();
  }

  answers({ endpoint }: Endpoint): readonly Response[] {
    return this.#answers.get(endpoint) ?? [];
  }

  envelopes(endpoint: Endpoint): Envelope[] {
    return this.answers(endpoint).map(({ body }) => body as Envelope);
  }
}

/** 400 in form B with this field among the invalid ones. */
export function expectRefused({ status, body }: Response, field: string): void {
  const { code, details = [] } = (body as FormB).error;
  expect([status, code, details.map((detail) => detail.field)]).toEqual([
    400,
    'VALIDATION_ERROR',
    expect.arrayContaining([expect.stringMatching(new RegExp(`^${field}(\\.|\\[|$)`)) as string]),
  ]);
}
