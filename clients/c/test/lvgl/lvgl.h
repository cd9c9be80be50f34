/* SPDX-License-Identifier: MIT */
/* The declarations of LVGL 9 that the example uses, because the tests do not install LVGL. */
#ifndef LVGL_H
#define LVGL_H

#include <stdint.h>

typedef struct lv_indev lv_indev_t;
typedef struct lv_obj lv_obj_t;
typedef struct {
    int32_t x, y;
} lv_point_t;
typedef enum { LV_INDEV_STATE_RELEASED, LV_INDEV_STATE_PRESSED } lv_indev_state_t;
typedef enum { LV_INDEV_TYPE_NONE, LV_INDEV_TYPE_POINTER } lv_indev_type_t;
typedef struct {
    lv_point_t point;
    lv_indev_state_t state;
} lv_indev_data_t;
typedef void (*lv_indev_read_cb_t)(lv_indev_t *device, lv_indev_data_t *data);

lv_indev_t *lv_indev_create(void);
void lv_indev_set_type(lv_indev_t *device, lv_indev_type_t type);
void lv_indev_set_read_cb(lv_indev_t *device, lv_indev_read_cb_t read);
uint32_t lv_event_register_id(void);
lv_obj_t *lv_screen_active(void);
int lv_obj_send_event(lv_obj_t *object, uint32_t event, void *parameter);

#endif
