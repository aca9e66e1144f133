/** Starts the viewer with the document from the page's own address, which returns JSON to programs. */
export const DOC_SCRIPT = `
const answer = await fetch(location.pathname, { headers: { accept: 'application/json' } });
const spec = await answer.json();
// The viewer fills fields with examples and defaults, and would send them all: here they are told instead, unless a field must be filled.
for (const operation of Object.values(spec.paths).flatMap((path) => Object.values(path))) {
  for (const parameter of operation.parameters ?? []) {
    if (parameter.required) continue;
    const { example = parameter.example, default: standard } = parameter.schema;
    delete parameter.example;
    parameter.schema = { ...parameter.schema };
    for (const key of ['example', 'default']) delete parameter.schema[key];
    const told = [
      standard === undefined ? '' : 'Without it: ' + JSON.stringify(standard) + '.',
      example === undefined ? '' : 'Example: ' + JSON.stringify(example) + '.',
    ].filter(Boolean);
    parameter.description = [parameter.description, ...told].filter(Boolean).map((part) => part.replace(/[^.]$/, '$&.')).join(' ');
  }
}
SwaggerUIBundle({
  spec, dom_id: '#document', deepLinking: true, docExpansion: 'list', filter: true,
  defaultModelsExpandDepth: 0, tryItOutEnabled: true, requestSnippetsEnabled: true, validatorUrl: null,
});`;

export const DOC_STYLE = `
#document { background: #fff; color: #1c1c1e; color-scheme: light; }
.swagger-ui .info { margin: 1.5rem 0; } .swagger-ui .opblock .opblock-summary-path { max-width: none; word-break: break-word; }
@media (max-width: 44rem) {
  .swagger-ui .wrapper { padding: 0 .75rem; } .swagger-ui .opblock .opblock-summary-description { display: none; }
  .swagger-ui .parameters-col_description input[type=text], .swagger-ui .parameters-col_description select,
  .swagger-ui textarea { max-width: 100%; min-width: 0; width: 100%; }
  .swagger-ui table, .swagger-ui .opblock-body { display: block; overflow-x: auto; } .swagger-ui .scheme-container .schemes { flex-wrap: wrap; }
}`;
