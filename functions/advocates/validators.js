// Made by `npm run generate` of schema.ts beside it. Not to be edited.
// <stdin>
var advocatesQuery = validate20;
var schema31 = { "type": "object", "properties": { "created_at_lt": { "type": "string" }, "created_at_gt": { "type": "string" }, "page": { "type": "integer", "minimum": 1, "maximum": 999999999, "default": 1 }, "per_page": { "type": "integer", "minimum": 1, "maximum": 50, "default": 25 }, "cursor": { "type": "string" } } };
var func0 = Object.prototype.hasOwnProperty;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate20.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.created_at_lt !== void 0 && func0.call(data, "created_at_lt")) {
        let data0 = data.created_at_lt;
        const _errs1 = errors;
        if (typeof data0 !== "string") {
          validate20.errors = [{ instancePath: instancePath + "/created_at_lt", schemaPath: "#/properties/created_at_lt/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.created_at_lt.type, parentSchema: schema31.properties.created_at_lt, data: data0 }];
          return false;
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.created_at_gt !== void 0 && func0.call(data, "created_at_gt")) {
          let data1 = data.created_at_gt;
          const _errs3 = errors;
          if (typeof data1 !== "string") {
            validate20.errors = [{ instancePath: instancePath + "/created_at_gt", schemaPath: "#/properties/created_at_gt/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.created_at_gt.type, parentSchema: schema31.properties.created_at_gt, data: data1 }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.page !== void 0 && func0.call(data, "page")) {
            let data2 = data.page;
            const _errs5 = errors;
            if (!(typeof data2 == "number" && (!(data2 % 1) && !isNaN(data2)) && isFinite(data2))) {
              validate20.errors = [{ instancePath: instancePath + "/page", schemaPath: "#/properties/page/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema31.properties.page.type, parentSchema: schema31.properties.page, data: data2 }];
              return false;
            }
            if (errors === _errs5) {
              if (typeof data2 == "number" && isFinite(data2)) {
                if (data2 > 999999999 || isNaN(data2)) {
                  validate20.errors = [{ instancePath: instancePath + "/page", schemaPath: "#/properties/page/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999 }, message: "must be <= 999999999", schema: 999999999, parentSchema: schema31.properties.page, data: data2 }];
                  return false;
                } else {
                  if (data2 < 1 || isNaN(data2)) {
                    validate20.errors = [{ instancePath: instancePath + "/page", schemaPath: "#/properties/page/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema31.properties.page, data: data2 }];
                    return false;
                  }
                }
              }
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.per_page !== void 0 && func0.call(data, "per_page")) {
              let data3 = data.per_page;
              const _errs7 = errors;
              if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3))) {
                validate20.errors = [{ instancePath: instancePath + "/per_page", schemaPath: "#/properties/per_page/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema31.properties.per_page.type, parentSchema: schema31.properties.per_page, data: data3 }];
                return false;
              }
              if (errors === _errs7) {
                if (typeof data3 == "number" && isFinite(data3)) {
                  if (data3 > 50 || isNaN(data3)) {
                    validate20.errors = [{ instancePath: instancePath + "/per_page", schemaPath: "#/properties/per_page/maximum", keyword: "maximum", params: { comparison: "<=", limit: 50 }, message: "must be <= 50", schema: 50, parentSchema: schema31.properties.per_page, data: data3 }];
                    return false;
                  } else {
                    if (data3 < 1 || isNaN(data3)) {
                      validate20.errors = [{ instancePath: instancePath + "/per_page", schemaPath: "#/properties/per_page/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema31.properties.per_page, data: data3 }];
                      return false;
                    }
                  }
                }
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.cursor !== void 0 && func0.call(data, "cursor")) {
                let data4 = data.cursor;
                const _errs9 = errors;
                if (typeof data4 !== "string") {
                  validate20.errors = [{ instancePath: instancePath + "/cursor", schemaPath: "#/properties/cursor/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.cursor.type, parentSchema: schema31.properties.cursor, data: data4 }];
                  return false;
                }
                var valid0 = _errs9 === errors;
              } else {
                var valid0 = true;
              }
            }
          }
        }
      }
    } else {
      validate20.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.type, parentSchema: schema31, data }];
      return false;
    }
  }
  validate20.errors = vErrors;
  return errors === 0;
}
validate20.evaluated = { "props": { "created_at_lt": true, "created_at_gt": true, "page": true, "per_page": true, "cursor": true }, "dynamicProps": false, "dynamicItems": false };
export {
  advocatesQuery
};
