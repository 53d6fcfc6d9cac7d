import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import formats from 'ajv-formats';

type Schema = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, { schema: Schema }>>;

interface Operation {
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
}

/** As much of an OpenAPI document as answers are held to. */
export interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

/** A request and its answer. */
export interface Exchange {
  method: string;
  /** The route that took the request, with `{parameters}`; null when none did. */
  route: string | null;
  path: string;
  status: number;
  contentType: string;
  /** Body of the answer when that is JSON. */
  answer: string;
  /** Body of the request as it was parsed; undefined without one. */
  sent: unknown;
}

const REFUSAL = { $ref: '#/components/schemas/HttpErrorBody' };
const JSON_TYPE = 'application/json';
/** Where the document's schemas are to the compiler. */
const COMPONENTS = 'api';

/**
 * Holds answers, and the bodies that were taken, to an OpenAPI 3.1 document: route, status, type of content and schema.
 * Objects have the fields that their schemas name and no others, unless the schema says so itself.
 */
export class AnswerCheck {
  readonly #answers: Schemas;
  #bodies: Schemas | undefined;

  constructor(private readonly document: ApiDocument) {
    this.#answers = new Schemas(document, { formats: true });
  }

  /** What of an exchange is not as the document says, a line for each. */
  violations(exchange: Exchange): string[] {
    const { route, method, status, path } = exchange;
    if (route === null) return this.#unrouted(exchange);
    const label = `${method} ${route} ${status}`;
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = this.document.paths[route]?.[verb];
    // Pages, health and the document itself are no part of the API; all under /v1 is.
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
    // An address with spaces around it, or in another script, is taken as well: what it is made into has the format.
    this.#bodies ??= new Schemas(this.document, { formats: false });
    return named(`${label}, body that was taken`, this.#bodies.violations(described.schema, sent));
  }

  /** No route took it: what the HTTP layer refuses, in Form A. */
  #unrouted({ method, path, status, contentType, answer }: Exchange): string[] {
    if (!path.startsWith('/v1') || method === 'OPTIONS') return [];
    const label = `${method} without a route ${status}`;
    if (status < 400 || !contentType.startsWith(JSON_TYPE)) return [`${label}: ${contentType} is no refusal`];
    return method === 'HEAD' ? [] : named(label, this.#answers.violations(REFUSAL, parsed(answer)));
  }
}

/** The schemas of a document, compiled when they are first needed. */
class Schemas {
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor({ components }: ApiDocument, options: { formats: boolean }) {
    const validateFormats = options.formats;
    // To shorten the code of a check costs more than all the answers that a process holds to it.
    this.#ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, validateFormats, code: { optimize: false } });
    this.#ajv.addVocabulary(['example']);
    formats.default(this.#ajv);
    // As all timestamps are: in UTC, with milliseconds.
    this.#ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const each = Object.entries(components.schemas).map(([name, schema]) => [name, closed(schema)]);
    this.#ajv.addSchema({ $id: COMPONENTS, $defs: Object.fromEntries(each) as Schema });
  }

  violations(schema: Schema, value: unknown): string[] {
    const key = JSON.stringify(schema); // routes share the shapes of their errors
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

/** Undefined is no JSON: it is as no schema says. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The schema with its objects closed, and its references where the compiler has what they name. */
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
