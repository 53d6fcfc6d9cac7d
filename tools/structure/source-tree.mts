import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** One name that a file declares, at any depth. */
export interface DeclaredName {
  readonly name: string;
  readonly what: 'class' | 'function' | 'type' | 'constant' | 'method' | 'field' | 'parameter' | 'variable' | 'stored';
  /** From 1. */
  readonly line: number;
  readonly exported: boolean;
}

export interface ParsedClass {
  readonly name: string;
  readonly exported: boolean;
  readonly decorators: readonly string[];
  readonly extends: string | null;
  /** Methods and accessors without `private`, `protected`, `#` or a life-cycle name. */
  readonly publicMethods: readonly string[];
  readonly constructorParameters: number;
}

export interface ParsedFile {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly lines: number;
  readonly classes: readonly ParsedClass[];
  readonly names: readonly DeclaredName[];
}

/** Names of methods that Nest calls are not chosen by the project. */
const LIFE_CYCLE =
  /^(onModuleInit|onModuleDestroy|onApplicationBootstrap|onApplicationShutdown|beforeApplicationShutdown)$/;

/** Files whose string literals name queues. */
const QUEUE_TABLE = /(^|\/)queue-table\.ts$/;

/** Paths of all TypeScript files below the folders, relative to the root. */
function listSources(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.m?ts$/.test(name) && !/(^|\/)(node_modules|generated|dist)\//.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
}

export function parseTree(root: string, folders: readonly string[]): ParsedFile[] {
  return listSources(root, folders).map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));
}

export function parseSource(path: string, text: string): ParsedFile {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const classes = source.statements
    .filter((statement) => ts.isClassDeclaration(statement))
    .filter(({ name }) => name !== undefined)
    .map((statement) => parseClass(statement, source));
  const names: DeclaredName[] = [];
  const visit = (node: ts.Node): void => {
    const found = nameOfDeclaration(node) ?? storedNameOf(node, path);
    if (found) names.push({ ...found, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { path, lines: text.split('\n').length - 1, classes, names };
}

/** The kind of a name by the syntax that declares it; names that only refer to a declaration have none. */
const DECLARATIONS: readonly (readonly [(node: ts.Node) => boolean, DeclaredName['what']])[] = [
  [(node) => ts.isClassDeclaration(node) || ts.isClassExpression(node), 'class'],
  [(node) => ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node), 'function'],
  [(node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node), 'type'],
  [(node) => ts.isTypeParameterDeclaration(node), 'type'],
  [(node) => ts.isMethodDeclaration(node) || ts.isMethodSignature(node), 'method'],
  [(node) => ts.isPropertyDeclaration(node) || ts.isPropertySignature(node) || ts.isAccessor(node), 'field'],
  [(node) => ts.isPropertyAssignment(node) || ts.isEnumMember(node), 'field'],
  [(node) => ts.isParameter(node), 'parameter'],
  [(node) => ts.isVariableDeclaration(node), 'variable'],
  [(node) => ts.isBindingElement(node), 'variable'],
];

function nameOfDeclaration(node: ts.Node): Omit<DeclaredName, 'line'> | null {
  const what = DECLARATIONS.find(([matches]) => matches(node))?.[1];
  const name = what && (node as ts.NamedDeclaration).name;
  if (!what || !name || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return null;
  const text = name.text.replace(/^#/, '');
  if (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent)) {
    return { name: text, what: 'field', exported: false };
  }
  if (!ts.isVariableDeclaration(node)) return { name: text, what, exported: isExported(node) };
  const statement = node.parent.parent;
  const isModuleLevel = ts.isVariableStatement(statement) && ts.isSourceFile(statement.parent);
  return { name: text, what: isModuleLevel ? 'constant' : 'variable', exported: isExported(statement) };
}

/** Names of collections and queues are strings of the code. */
function storedNameOf(node: ts.Node, path: string): Omit<DeclaredName, 'line'> | null {
  if (!ts.isStringLiteral(node)) return null;
  const { parent } = node;
  const ofCollection =
    ts.isCallExpression(parent) && ts.isIdentifier(parent.expression) && parent.expression.text === 'Collection';
  return ofCollection || QUEUE_TABLE.test(path) ? { name: node.text, what: 'stored', exported: false } : null;
}

function parseClass(node: ts.ClassDeclaration, source: ts.SourceFile): ParsedClass {
  const [base] = (node.heritageClauses ?? [])
    .filter(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    .flatMap(({ types }) => [...types]);
  const publicMethods = node.members
    .filter((member) => ts.isMethodDeclaration(member) || ts.isGetAccessorDeclaration(member))
    .filter((member) => ts.isIdentifier(member.name) && !isHidden(member))
    .map((member) => (member.name as ts.Identifier).text)
    .filter((name) => !LIFE_CYCLE.test(name));
  return {
    name: node.name?.text ?? '',
    exported: isExported(node),
    decorators: (ts.getDecorators(node) ?? []).map(({ expression }) => expression.getText(source).split('(')[0] ?? ''),
    extends: base ? base.expression.getText(source) : null,
    publicMethods: [...new Set(publicMethods)],
    constructorParameters: node.members.find((member) => ts.isConstructorDeclaration(member))?.parameters.length ?? 0,
  };
}

function isExported(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.ExportKeyword);
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind);
}

function isHidden(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.PrivateKeyword) || hasModifier(node, ts.SyntaxKind.ProtectedKeyword);
}
