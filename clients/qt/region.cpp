// SPDX-License-Identifier: MIT
#include "region.hpp"

#include "gestured.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScreen>
#include <QtQml/qqmlinfo.h>
#include <cmath>
#include <gestured.h>

Region::Region(QQuickItem *parent) : QQuickItem(parent) {
    // These changes alone cause no frame.
    const auto requestFrame = [this] {
        if (window()) window()->update();
    };
    connect(this, &Region::definitionChanged, this, requestFrame);
    connect(this, &QQuickItem::enabledChanged, this, requestFrame);
}

Region::~Region() {
    if (m_connection) m_connection->remove(this);
}

void Region::componentComplete() {
    QQuickItem::componentComplete();
    m_connection = Gestured::of(this);
    if (!m_connection) return warn(QStringLiteral("a region needs a QML engine"));
    m_id = m_name.isEmpty() ? m_connection->newId() : m_connection->property("prefix").toString() + m_name;
    m_connection->add(this);
}

void Region::itemChange(ItemChange change, const ItemChangeData &data) {
    if (change == ItemSceneChange) {
        disconnect(m_frames);
        // Frames are drawn whenever something that is visible has changed.
        if (data.window)
            m_frames = connect(data.window, &QQuickWindow::afterAnimating, this, [this] {
                if (m_connection) m_connection->synchronize();
            });
    }
    QQuickItem::itemChange(change, data);
}

bool Region::isTouchable() const {
    return window() && window()->isVisible() && isVisible() && isEnabled() && !m_gestures.isEmpty() && !visiblePart().isEmpty();
}

/// The part of the item that no ancestor clips.
QRectF Region::visiblePart() const {
    QRectF part = boundingRect();
    for (QQuickItem *item = parentItem(); item; item = item->parentItem())
        if (item->clip()) part &= mapRectFromItem(item, item->boundingRect());
    return part;
}

/// A point of the item in parts of the output, which the screen fills.
QPointF Region::toOutput(const QPointF &local) const {
    const QRectF screen = window()->screen()->geometry();
    const QPointF point = mapToGlobal(local) - screen.topLeft();
    return {point.x() / screen.width(), point.y() / screen.height()};
}

Region *Region::surroundingRegion() const {
    for (QQuickItem *item = parentItem(); item; item = item->parentItem()) {
        auto *region = qobject_cast<Region *>(item);
        if (region && region->isTouchable()) return region;
    }
    return nullptr;
}

static QString percent(qreal part) { return QString::number(part * 100, 'f', 4) + QLatin1Char('%'); }

QByteArray Region::definition() {
    const QRectF part = visiblePart();
    QPolygonF corners;
    for (const QPointF &corner : {part.topLeft(), part.topRight(), part.bottomRight(), part.bottomLeft()})
        corners << toOutput(corner);
    m_bounds = corners.boundingRect();
    const bool isUpright = std::abs(corners[0].y() - corners[1].y()) < 1e-6 || std::abs(corners[0].x() - corners[1].x()) < 1e-6;

    // In a region, lengths are parts of its bounding box.
    const Region *surrounding = surroundingRegion();
    const QRectF box = surrounding ? surrounding->m_bounds : QRectF(0, 0, 1, 1);
    const auto x = [&](qreal part) { return percent((part - box.x()) / box.width()); };
    const auto y = [&](qreal part) { return percent((part - box.y()) / box.height()); };

    QJsonObject shape;
    if (isUpright) {
        shape["rect"] = QJsonArray{
            x(m_bounds.x()), y(m_bounds.y()), percent(m_bounds.width() / box.width()), percent(m_bounds.height() / box.height())};
    } else {
        QJsonArray polygon;
        for (const QPointF &corner : corners) polygon.append(QJsonArray{x(corner.x()), y(corner.y())});
        shape["polygon"] = polygon;
    }
    QJsonObject region = QJsonObject::fromVariantMap(m_keys);
    if (surrounding) region["parent"] = surrounding->id();
    region["id"] = m_id;
    region["shape"] = shape;
    region["gestures"] = QJsonArray::fromVariantList(m_gestures);
    if (!m_connection->device().isEmpty()) region["device"] = m_connection->device();
    return QJsonDocument(region).toJson(QJsonDocument::Compact);
}

QList<QPair<qreal, int>> Region::paintOrder() const {
    QList<QPair<qreal, int>> places;
    for (const QQuickItem *item = this; item->parentItem(); item = item->parentItem())
        places.prepend({item->z(), int(item->parentItem()->childItems().indexOf(item))});
    return places;
}

/// The position of a gesture in the item's coordinates.
QPointF Region::position(const gestured_gesture &gesture) const {
    if (!window() || std::isnan(gesture.u)) return {};
    const QRectF screen = window()->screen()->geometry();
    const QPointF part(m_bounds.x() + gesture.u * m_bounds.width(), m_bounds.y() + gesture.v * m_bounds.height());
    return mapFromGlobal(QPointF(screen.x() + part.x() * screen.width(), screen.y() + part.y() * screen.height()));
}

void Region::take(const gestured_gesture &event, const QVariantMap &line) {
    const QByteArray kind = event.gesture;
    const QString phase = line.value(QStringLiteral("phase")).toString();
    if (kind == "press") {
        const bool isPressed = event.phase == GESTURED_PHASE_BEGIN || event.phase == GESTURED_PHASE_UPDATE;
        if (isPressed != m_isPressed) {
            m_isPressed = isPressed;
            emit pressedChanged();
        }
    } else if (kind == "tap") {
        emit tapped(position(event), int(event.count));
    } else if (kind == "long_press" && event.phase == GESTURED_PHASE_BEGIN) {
        emit longPressed(position(event));
    } else if (kind == "repeat") {
        emit repeated(int(event.n));
    } else if (kind == "swipe") {
        emit swiped(QString::fromUtf8(event.direction), event.velocity_mm_s);
    } else if (kind == "drag") {
        const QSizeF output = m_connection->outputSize();
        const QSizeF screen = window() ? QSizeF(window()->screen()->size()) : QSizeF();
        const QPointF moved = std::isnan(event.dx) || output.isEmpty()
            ? QPointF() : QPointF(event.dx * screen.width() / output.width(), event.dy * screen.height() / output.height());
        emit dragged(phase, moved);
    } else if (kind == "pinch") {
        emit pinched(phase, event.scale);
    } else if (kind == "rotate") {
        emit rotated(phase, event.rotation);
    } else if (kind == "pattern") {
        emit patternDrawn();
    }
    emit gesture(line);
}

void Region::warn(const QString &message) const { qmlWarning(this) << m_id << ": " << message; }
