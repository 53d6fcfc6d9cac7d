import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import formats from 'ajv-formats';

type Schema = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, { schema: Schema }>>;

interface Operation {
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
}

/** The parts of an OpenAPI document that responses are checked against. */
export interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

/** A request and its response. */
export interface Exchange {
  method: string;
  /** The route that matched, with `{parameters}`; null if none did. */
  route: string | null;
  path: string;
  status: number;
  contentType: string;
  /** Body of the response if it is JSON. */
  answer: string;
  /** Body of the request as it was parsed; undefined without one. */
  sent: unknown;
}

const REFUSAL = { $ref: '#/components/schemas/HttpErrorBody' };
const JSON_TYPE = 'application/json';
/** Location of the document's schemas for the compiler. */
const COMPONENTS = 'api';

/**
 * Checks responses and accepted request bodies against an OpenAPI 3.1 document: route, status, content type and schema.
 * Objects have exactly the fields of their schemas, unless the schema allows more.
 */
export class AnswerCheck {
  readonly #answers: Schemas;
  #bodies: Schemas | undefined;

  constructor(private readonly document: ApiDocument) {
    this.#answers = new Schemas(document, { formats: true });
  }

  /** Violations of the document by an exchange, one line each. */
  violations(exchange: Exchange): string[] {
    const { route, method, status, path } = exchange;
    if (route === null) return this.#unrouted(exchange);
    const label = `${method} ${route} ${status}`;
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = this.document.paths[route]?.[verb];
    // Pages, health and the document itself are not part of the API; everything under /v1 is.
    if (!operation) return path.startsWith('/v1') ? [`${label}: the document has no such route`] : [];
    return [...this.#ofBody(operation, label, exchange), ...this.#ofAnswer(operation, label, exchange)];
  }

  #ofAnswer({ responses }: Operation, label: string, { method, status, contentType, answer }: Exchange): string[] {
    const response = responses[status] ?? responses[`${String(status).charAt(0)}XX`];
    if (!response) return [`${label}: the document has no such status`];
    const type = contentType.split(';')[0] ?? '';
    const { content = {} } = response;
    if (!(type in content) && !('*/*' in content)) {
      return [`${label}: the document has no ${type || 'answer without a type'} here`];
    }
    const described = content[type];
    if (type !== JSON_TYPE || !described || method === 'HEAD') return [];
    return named(label, this.#answers.violations(described.schema, parsed(answer)));
  }

  #ofBody({ requestBody }: Operation, label: string, { status, sent }: Exchange): string[] {
    const described = requestBody?.content[JSON_TYPE];
    if (status >= 300 || sent === undefined || !described) return [];
    // An address with surrounding spaces or in another script is accepted too; the normalised one has the format.
    this.#bodies ??= new Schemas(this.document, { formats: false });
    return named(`${label}, accepted body`, this.#bodies.violations(described.schema, sent));
  }

  /** No route matched: the HTTP layer rejects in Form A. */
  #unrouted({ method, path, status, contentType, answer }: Exchange): string[] {
    if (!path.startsWith('/v1') || method === 'OPTIONS') return [];
    const label = `${method} without a route ${status}`;
    if (status < 400 || !contentType.startsWith(JSON_TYPE)) return [`${label}: ${contentType} is no refusal`];
    return method === 'HEAD' ? [] : named(label, this.#answers.violations(REFUSAL, parsed(answer)));
  }
}

/** The schemas of a document, compiled at first use. */
class Schemas {
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor({ components }: ApiDocument, options: { formats: boolean }) {
    const validateFormats = options.formats;
    // Optimising the code of a check costs more than all the responses that a process checks.
    this.#ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, validateFormats, code: { optimize: false } });
    this.#ajv.addVocabulary(['example']);
    formats.default(this.#ajv);
    // The format of all timestamps: UTC with milliseconds.
    this.#ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const each = Object.entries(components.schemas).map(([name, schema]) => [name, closed(schema)]);
    this.#ajv.addSchema({ $id: COMPONENTS, $defs: Object.fromEntries(each) as Schema });
  }

  violations(schema: Schema, value: unknown): string[] {
    const key = JSON.stringify(schema); // Routes share the schemas of their errors.
    const validate = this.#compiled.get(key) ?? this.#ajv.compile(closed(schema));
    this.#compiled.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
  }
}

function named(label: string, violations: readonly string[]): string[] {
  return violations.map((violation) => `${label}: ${violation}`);
}

/** Undefined is not JSON and matches no schema. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The schema with closed objects, and references in the compiler's names. */
function closed(schema: Schema): Schema {
  const copy: Record<string, unknown> = { ...schema };
  for (const name of ['items', 'additionalProperties']) {
    if (isSchema(copy[name])) copy[name] = closed(copy[name]);
  }
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    if (Array.isArray(copy[name])) copy[name] = (copy[name] as Schema[]).map(closed);
  }
  const { $ref, properties } = copy;
  if (typeof $ref === 'string') copy['$ref'] = $ref.replace('#/components/schemas/', `${COMPONENTS}#/$defs/`);
  if (!isSchema(properties)) return copy;
  const fields = Object.entries(properties).map(([name, field]) => [name, closed(field as Schema)]);
  return { additionalProperties: false, ...copy, properties: Object.fromEntries(fields) as Schema };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
