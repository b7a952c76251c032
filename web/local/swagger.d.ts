/** The part of Swagger UI that docs.ts uses: https://swagger.io/docs/open-source-tools/swagger-ui/customization/plug-points/ */

type SwaggerElement = { readonly type: unknown };
type SwaggerComponent = string | ((props: Record<string, unknown>) => SwaggerElement);

interface SwaggerSystem {
  readonly React: {
    createElement(
      component: SwaggerComponent,
      props: Readonly<Record<string, unknown>> | null,
      ...children: readonly (SwaggerElement | string)[]
    ): SwaggerElement;
  };
  getComponent(name: string, isContainer?: true): SwaggerComponent;
  readonly specSelectors: { info(): { get(name: 'description'): string | undefined } };
  readonly layoutActions: { parseDeepLinkHash(hash: string): void };
  preauthorizeApiKey(scheme: string, token: string): void;
}

interface SwaggerRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

interface SwaggerOptions {
  readonly url: string;
  readonly dom_id: string;
  readonly layout: string;
  readonly plugins: readonly ((system: SwaggerSystem) => { components: Record<string, SwaggerComponent> })[];
  readonly deepLinking: boolean;
  readonly displayRequestDuration: boolean;
  readonly persistAuthorization: boolean;
  readonly tryItOutEnabled: boolean;
  readonly validatorUrl: null;
  readonly requestInterceptor: (request: SwaggerRequest) => Promise<SwaggerRequest>;
  readonly onComplete: () => void;
}

declare function SwaggerUIBundle(options: SwaggerOptions): SwaggerSystem;
